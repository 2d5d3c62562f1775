import { expect, vi } from "vitest"
import { asOwner } from "./as-owner.ts"
import type { TestDatabase } from "./test-database.ts"

/**
 * Statistics of the tables, of all when none is named, and every page of theirs known as visible to all: plans, and how
 * much they look at, depend on both. While PostgreSQL analyses some table by itself, it holds an old snapshot, and
 * pages stay unknown: once more then.
 */
export function vacuum(database: TestDatabase, ...tables: string[]): Promise<void> {
  return vi.waitFor(
    async () => {
      await asOwner(database, `vacuum analyze ${tables.join(", ")}`)
      const { rows } = await database.pool.query(
        `select relname from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r' and relallvisible < relpages
           and (cardinality($1::name[]) = 0 or relname = any ($1))`,
        [tables],
      )
      expect(rows).toEqual([])
    },
    { timeout: 60_000 },
  )
}
