import { stat } from "node:fs/promises"
import { join } from "node:path"
import { inspect } from "node:util"
import { connectEmbedded } from "#db/embedded-postgres"
import { requireTables } from "#db/migrate"
import { createPool } from "#db/pools"
import { createDb, type SoleDb } from "#db/transaction"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import type { Env } from "#start/env"

interface Command {
  /** One line that says how the command is called. */
  usage: string
  /** Begins the line about an error that nobody foresaw. */
  failure: string
  /** 1 by default; another one where 1 is an answer. */
  failureCode?: number
  /** Returns the exit code. */
  run: () => Promise<number>
}

/** Runs a command and exits with its code. An error is one line; its stack follows only with LOG_LEVEL=debug or trace. */
export async function runCommand({ usage, failure, failureCode = 1, run }: Command): Promise<void> {
  try {
    process.exit(await run())
  } catch (error) {
    process.stderr.write(`${lineOf(error, usage, failure)}\n`)
    if (/^(?:debug|trace)$/.test(process.env["LOG_LEVEL"] ?? "")) process.stderr.write(`${inspect(error)}\n`)
    process.exit(failureCode)
  }
}

function lineOf(error: unknown, usage: string, failure: string): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return `${failure}: ${String(error)}`
  const { code, path, message }: NodeJS.ErrnoException = error
  if (code?.startsWith("ERR_PARSE_ARGS") === true) return usage
  if (code === "ENOENT" && path !== undefined) return `O arquivo ${path} não existe.`
  return `${failure}: ${message.split("\n", 1)[0] || (code ?? error.name)}`
}

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
