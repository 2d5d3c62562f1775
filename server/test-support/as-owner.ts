import pg from "pg"
import type { TestDatabase } from "./test-database.ts"

/** For statements that the serving role may not run: tampering, vacuum, reading system views. */
export async function asOwner(database: TestDatabase, ...statements: string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  try {
    for (const statement of statements) await owner.query(statement)
  } finally {
    await owner.end()
  }
}

/** Statements that not even the owner may run by accident: no trigger fires. */
export async function tamper(database: TestDatabase, ...statements: string[]): Promise<void> {
  await asOwner(database, "set session_replication_role = replica", ...statements)
}
