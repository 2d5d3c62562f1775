import type { Db } from "#db/transaction"
import { createRecentMap, type RecentMap } from "#kit/caches"
import { invariant } from "#kit/errors"
import { findNames, readRenamings, type UserName } from "./reads.ts"

/** The names of users, by id. */
export type NameUsers = (ids: readonly string[]) => Promise<Map<string, UserName>>

interface Cache {
  renamings: number
  names: RecentMap<string, UserName>
}

const CACHED = 20_000

/**
 * A page of a list needs a hundred names, scattered over the table, and names rarely change. So they are cached, and
 * never stale, because the database counts renames. Created once in a process, so that all lists share the cache.
 */
export function userNamer(db: Db): NameUsers {
  let cache: Cache | undefined

  /** The cache for this count; names cached under another count are stale. */
  function cacheAt(renamings: number): Cache {
    if (cache?.renamings === renamings) return cache
    const fresh = { renamings, names: createRecentMap<string, UserName>(CACHED) }
    if (cache === undefined || cache.renamings < renamings) cache = fresh
    return fresh
  }

  async function read(ids: readonly string[]): Promise<UserName[]> {
    if (ids.length === 0) return []
    const { renamings, found } = await findNames(db, ids)
    const { names } = cacheAt(renamings)
    for (const user of found) names.set(user.id, user)
    return found
  }

  return async (ids) => {
    const distinct = [...new Set(ids)]
    if (distinct.length === 0) return new Map()
    const { names } = cacheAt(await readRenamings(db))
    const known = distinct.flatMap((id) => names.get(id) ?? [])
    const isKnown = new Set(known.map(({ id }) => id))
    const others = await read(distinct.filter((id) => !isKnown.has(id)))
    return new Map([...known, ...others].map((user) => [user.id, user]))
  }
}

export function nameIn(names: Map<string, UserName>, id: string): UserName {
  const name = names.get(id)
  invariant(name !== undefined, `no user ${id}`)
  return name
}
