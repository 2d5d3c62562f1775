import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import type { User } from "./user.ts"
import { listUserRows } from "./user-lists-repository.ts"
import { findUserById } from "./users-repository.ts"

/** Searches by name, e-mail, CPF or id. */
export async function searchUsers(db: Db, { words, atMost }: SearchFor): Promise<User[]> {
  if (!isId(words)) return listUserRows(db, { search: words }, { limit: atMost, offset: 0 })
  const user = await findUserById(db, words)
  return user === undefined ? [] : [user]
}
