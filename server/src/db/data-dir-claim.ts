import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { dataDirLock } from "./transaction.ts"

type DataDirClaim = { release(): Promise<void> }

type ClaimOptions = { url: string; dataDir: string; log: Logger }

const patienceMs = 1_500

/** One server per DATA_DIR. The lock lives in a session of the database, so a killed server cannot leave it behind. */
export async function claimDataDir({ url, dataDir, log }: ClaimOptions): Promise<DataDirClaim> {
  let isReleased = false
  let session = await openSession(url)
  const giveUpAt = Date.now() + patienceMs
  while (!(await tryLock(session))) {
    if (Date.now() > giveUpAt) {
      await session.end()
      throw new StartError(`DATA_DIR (${dataDir}) já está em uso por outro servidor: pare-o ou escolha outra pasta.`)
    }
    await sleep(50)
  }

  function watch(): void {
    session.once("end", () => void reclaim())
  }

  async function reclaim(): Promise<void> {
    while (!isReleased) {
      await sleep(250, undefined, { ref: false })
      const next = await openSession(url).catch(() => null)
      if (next === null) continue
      if (!isReleased && (await tryLock(next).catch(() => false))) {
        session = next
        return watch()
      }
      log.warn({ dataDir }, "the data folder is claimed by another server")
      await next.end().catch(() => undefined)
    }
  }

  watch()
  return {
    async release() {
      isReleased = true
      await session.end().catch(() => undefined)
    },
  }
}

async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({
    connectionString: url,
    application_name: "tilinta-claim",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  session.on("error", () => undefined)
  await session.connect()
  return session
}

async function tryLock(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ isLocked: boolean }>(
    'SELECT pg_try_advisory_lock($1::int, $2::int) AS "isLocked"',
    [...dataDirLock],
  )
  return rows[0]?.isLocked === true
}
