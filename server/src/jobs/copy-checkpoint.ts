import { randomUUID } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"
import type { Logger } from "#kit/log"

interface Wish {
  /** Replaced as a whole, so that nobody reads half of it. */
  file: string | null
  /** Gets each checkpoint by PUT. */
  url: string | null
  log: Logger
}

/** Copies a checkpoint to the second place, out of reach of whoever may change the database. */
export type CopyCheckpoint = (note: string) => Promise<void>

const URL_PAUSE_MS = 60_000
const PATIENCE_MS = 10_000

/** A copy that failed is tried again. The address is asked once a minute at most, and never waited for: sealing goes on. */
export function createCheckpointCopy({ file, url, log }: Wish): CopyCheckpoint {
  const inFile = lastOf(file === null ? null : (note) => replaceFile(file, note), 0, log)
  const atUrl = lastOf(url === null ? null : (note) => put(url, note), URL_PAUSE_MS, log)
  return async (note) => {
    void atUrl(note)
    await inFile(note)
  }
}

function lastOf(copy: ((note: string) => Promise<void>) | null, pauseMs: number, log: Logger): CopyCheckpoint {
  let copied: string | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  return async (note) => {
    if (copy === null || note === copied || performance.now() - triedAt < pauseMs) return
    triedAt = performance.now()
    try {
      await copy(note)
      copied = note
    } catch (error) {
      log.error(
        { err: error, alarm: "checkpoint_not_copied" },
        "the checkpoint could not be copied to its second place",
      )
    }
  }
}

async function replaceFile(file: string, note: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, note, { flag: "wx" })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

async function put(url: string, note: string): Promise<void> {
  const reply = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: note,
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await reply.body?.cancel()
  if (!reply.ok) throw new Error(`the second place answered ${reply.status}`)
}
