import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"

export interface EmptyDatabase {
  url: string
  /** PostgreSQL's own address, also where the test run has a pooler. */
  directUrl: string
  /** As its owner. */
  owner: pg.Client
  drop(): Promise<void>
}

/** Without our tables, for tests of what makes them. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const name = `empty_${process.pid}_${randomBytes(5).toString("hex")}`
  await administer(`CREATE DATABASE ${name}`)
  const url = addressOf(name, inject("testOwnerUrl"))
  const directUrl = addressOf(name, inject("testPostgresUrl"))
  const owner = new pg.Client({ connectionString: directUrl })
  await owner.connect()
  return {
    ...{ url, directUrl, owner },
    async drop() {
      await owner.end()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

function addressOf(database: string, server: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.toString()
}

/** On the test run's PostgreSQL itself, as its superuser. */
export async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject("testPostgresUrl") })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
