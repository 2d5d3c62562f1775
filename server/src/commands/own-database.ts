import { stat } from "node:fs/promises"
import { join } from "node:path"
import { connectEmbedded } from "#db/embedded-postgres"
import { requireTables } from "#db/migrate"
import { createPool } from "#db/pools"
import { createDb, type SoleDb } from "#db/transaction"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import type { Env } from "#start/env"

const log = createLog("silent")

type Place = Pick<Env, "dataDir" | "databaseUrl">
type PoolSettings = Omit<Parameters<typeof createPool>[0], "url" | "log">

/** The installation's database for a command, while servers run or not. */
export async function withOwnDatabase<Result>(
  env: Place,
  poolSettings: PoolSettings,
  work: (db: SoleDb) => Promise<Result>,
): Promise<Result> {
  return withOwnerUrl(env, async (url) => {
    await requireTables(url, log)
    const pool = createPool({ url, ...poolSettings })
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
