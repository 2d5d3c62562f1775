import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import type { TestProject } from "vitest/node"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { migrate } from "#db/migrate"
import { createLog } from "#kit/log"
import { startPooler } from "./pooler.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the test run's PostgreSQL, as its superuser; `tilinta_template` holds the migrated schema. */
    testPostgresUrl: string
    /** The same through a pooler in session mode where TEST_POOLER is set. */
    testOwnerUrl: string
  }
}

const templateName = "tilinta_template"

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-test-"))
  const log = createLog("error")
  const isPooled = process.env["TEST_POOLER"] !== undefined
  // A pooler still holds sessions that nobody uses any more.
  const nodes = isPooled ? 4 : 1
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false, nodes })
  let pooler: Awaited<ReturnType<typeof startPooler>> | null = null
  try {
    await createTemplate(postgres.url)
    await migrate({ ownerUrl: addressOf(postgres.url, templateName), log })
    if (isPooled) pooler = await startPooler(postgres.url)
    project.provide("testPostgresUrl", postgres.url)
    project.provide("testOwnerUrl", pooler?.url ?? postgres.url)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return async () => {
    await pooler?.stop()
    await postgres.stop()
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${templateName}`)
  // Tables without statistics look worth several processes, which take longer to start than a test's rows to read.
  await client.query("ALTER SYSTEM SET max_parallel_workers_per_gather = 0")
  await client.query("SELECT pg_reload_conf()")
  await client.end()
}

function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.toString()
}
