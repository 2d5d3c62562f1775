import pg from "pg"
import type { TestProject } from "vitest/node"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { migrate } from "#db/migrate"
import { createLog } from "#kit/log"
import { makeOpenFolder } from "./open-folder.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the test run's PostgreSQL, as its superuser; `tilinta_template` holds the migrated schema. */
    testPostgresUrl: string
  }
}

const templateName = "tilinta_template"

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeOpenFolder("tilinta-test-")
  const log = createLog("error")
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false })
  try {
    await createTemplate(postgres.url)
    await migrate({ ownerUrl: addressOf(postgres.url, templateName), log })
    project.provide("testPostgresUrl", postgres.url)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return () => postgres.stop()
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${templateName}`)
  await client.end()
}

function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.toString()
}
