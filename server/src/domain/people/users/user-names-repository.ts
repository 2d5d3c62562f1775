import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"

export interface UserName {
  id: string
  name: string
  email: string
}

export async function readRenamings(db: Db): Promise<number> {
  const { rows } = await prepared<{ count: number }>("read-renamings")`
    select count from user_renamings`.execute(db)
  return rows[0]?.count ?? 0
}

/** Names and the rename count, from one snapshot. */
export async function findNames(db: Db, ids: readonly string[]): Promise<{ renamings: number; found: UserName[] }> {
  const { rows } = await prepared<UserName & { renamings: number }>("find-user-names")`
    select id, name, email, (select count from user_renamings) as renamings
    from users where id = any(${uuidList(ids)})`.execute(db)
  return { renamings: rows[0]?.renamings ?? 0, found: rows.map(({ id, name, email }) => ({ id, name, email })) }
}
