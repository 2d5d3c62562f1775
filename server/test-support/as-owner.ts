import pg from "pg"
import type { TestDatabase } from "./test-database.ts"

/** What the role that serves requests may not do: tampering, vacuum, a look behind the scenes. */
export async function asOwner(database: TestDatabase, ...statements: string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  try {
    for (const statement of statements) await owner.query(statement)
  } finally {
    await owner.end()
  }
}
