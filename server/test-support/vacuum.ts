import { expect, vi } from "vitest"
import { asOwner } from "./as-owner.ts"
import type { TestDatabase } from "./test-database.ts"

/**
 * Updates the tables' statistics (of all tables by default) and marks every page all-visible, on which plans and buffer
 * counts depend. An autovacuum at the same time holds an old snapshot that leaves pages unmarked, so it is repeated
 * then.
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
