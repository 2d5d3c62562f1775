import type { Db } from "#db/transaction"
import { invariant } from "#kit/invariant"
import { createRecentMap, type RecentMap } from "#kit/recent-map"
import { findNames, readRenamings, type UserName } from "./user-names-repository.ts"

export type { UserName } from "./user-names-repository.ts"

interface Memory {
  renamings: number
  names: RecentMap<string, UserName>
}

const REMEMBERED = 20_000

const ofDatabase = new WeakMap<Db, Memory>()

/**
 * Names of users, by id. A page of a list needs a hundred, scattered over the table, and names rarely change. So they
 * are cached, and never stale, because the database counts renames.
 */
export async function nameUsers(db: Db, ids: readonly string[]): Promise<Map<string, UserName>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const { names } = memoryAt(db, await readRenamings(db))
  const known = distinct.flatMap((id) => names.get(id) ?? [])
  const isKnown = new Set(known.map(({ id }) => id))
  const met = await meet(
    db,
    distinct.filter((id) => !isKnown.has(id)),
  )
  return new Map([...known, ...met].map((user) => [user.id, user]))
}

export function nameIn(names: Map<string, UserName>, id: string): UserName {
  const name = names.get(id)
  invariant(name !== undefined, `${id} is nobody`)
  return name
}

async function meet(db: Db, ids: readonly string[]): Promise<UserName[]> {
  if (ids.length === 0) return []
  const { renamings, found } = await findNames(db, ids)
  const { names } = memoryAt(db, renamings)
  for (const user of found) names.set(user.id, user)
  return found
}

/** The cache for this rename count; names cached under another count are stale. */
function memoryAt(db: Db, renamings: number): Memory {
  const known = ofDatabase.get(db)
  if (known?.renamings === renamings) return known
  const memory = { renamings, names: createRecentMap<string, UserName>(REMEMBERED) }
  if (known === undefined || known.renamings < renamings) ofDatabase.set(db, memory)
  return memory
}
