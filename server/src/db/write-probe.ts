import { sql } from "kysely"
import { executeOne, oneStatement } from "./one-statement.ts"
import type { Db } from "./transaction.ts"

/** Anybody may ask, so writes are few: an answer serves everybody for so long. */
const validForMs = 1_000
const longestMs = 3_000

/** SQLSTATE 57014, as a server that cancels the statement would say. */
const tooSlow = { code: "57014" }

/**
 * Throws when the database does not take a write and keep it: a read-only server answers reads for hours. Includes the
 * commit, which also waits for a synchronous standby.
 */
export function createWriteProbe(db: Db): () => Promise<void> {
  let running: Promise<void> | null = null
  let provenAt = Number.NEGATIVE_INFINITY

  async function probe(): Promise<void> {
    await inTime(executeOne(db, writeProbe()))
    provenAt = performance.now()
  }

  return async () => {
    if (performance.now() - provenAt < validForMs) return
    running ??= probe().finally(() => {
      running = null
    })
    await running
  }
}

function writeProbe() {
  return oneStatement(sql`update write_probes set probed_at = clock_timestamp()`, () => undefined)
}

async function inTime(writing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("the database did not write in time"), tooSlow)), longestMs)
  })
  await Promise.race([writing, late]).finally(() => clearTimeout(timer))
}
