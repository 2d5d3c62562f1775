import { stat } from "node:fs/promises"
import { join } from "node:path"
import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { requireTables } from "#db/require-tables"
import { createDb, type SoleDb } from "#db/transaction"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import type { Env } from "./env.ts"

const log = createLog("silent")

type Place = Pick<Env, "dataDir" | "databaseUrl">
type PoolWishes = Omit<Parameters<typeof createPool>[0], "url" | "log">

/** The installation's database for a command, beside running servers or without any. */
export async function withOwnDatabase<Result>(
  env: Place,
  wishes: PoolWishes,
  work: (db: SoleDb) => Promise<Result>,
): Promise<Result> {
  return withOwnerUrl(env, async (url) => {
    await requireTables(url, log)
    const pool = createPool({ url, ...wishes })
    try {
      return await work(createDb(pool))
    } finally {
      await pool.end()
    }
  })
}

/** The owner's address. An embedded database that nobody runs is started, and stopped afterwards. */
export async function withOwnerUrl<Result>(
  { dataDir, databaseUrl }: Place,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== null) return work(databaseUrl)
  if (!(await hasEmbeddedDatabase(dataDir))) {
    throw new StartError(`Não há banco de dados em DATA_DIR (${dataDir}), e DATABASE_URL está vazia.`)
  }
  const embedded = await connectEmbedded({ dataDir, log })
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

/** A command never makes an empty database where none is: its DATA_DIR is a mistake. */
async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return (await stat(join(dataDir, "postgres", "PG_VERSION")).catch(() => null)) !== null
}
