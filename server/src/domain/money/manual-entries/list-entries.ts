import type { Db } from "#db/transaction"
import { type NameUsers, nameIn, type UserName } from "#domain/people/users/user-names"
import { findEntries } from "./manual-entries-repository.ts"
import type { ManualEntry } from "./manual-entry.ts"

export interface NamedEntry extends ManualEntry {
  seller: UserName | null
  creator: UserName
  approver: UserName | null
  refuser: UserName | null
}

interface Deps {
  db: Db
  nameUsers: NameUsers
}

/** Entries of people, newest first. */
export async function listEntries(
  deps: Deps,
  wish: { after: string | null; limit: number },
): Promise<{ entries: NamedEntry[]; next: string | null }> {
  const found = await findEntries(deps.db, { ...wish, limit: wish.limit + 1 })
  const entries = await nameEntries(deps, found.slice(0, wish.limit))
  return { entries, next: found.length > wish.limit ? (entries.at(-1)?.id ?? null) : null }
}

export async function nameEntries({ nameUsers }: Deps, entries: readonly ManualEntry[]): Promise<NamedEntry[]> {
  const ids = entries.flatMap((each) =>
    [each.sellerId, each.createdBy, each.approvedBy, each.refusedBy].filter((id) => id !== null),
  )
  const names = await nameUsers(ids)
  const named = (id: string | null) => (id === null ? null : nameIn(names, id))
  return entries.map((each) => ({
    ...each,
    seller: named(each.sellerId),
    creator: nameIn(names, each.createdBy),
    approver: named(each.approvedBy),
    refuser: named(each.refusedBy),
  }))
}
