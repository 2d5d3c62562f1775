import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import type { Logger } from "#kit/log"

interface Wish {
  /** Replaced as a whole, so that nobody reads half of it. */
  file: string | null
  /** Gets the latest checkpoint by PUT. */
  url: string | null
  log: Logger
}

/** Brings the second place, out of reach of whoever may change the database, up to the latest checkpoint. */
export type CopyCheckpoint = (publish: () => Promise<string>) => Promise<void>

const URL_PAUSE_MS = 60_000
const URL_REPEAT_MS = 600_000
const PATIENCE_MS = 10_000
const MOST_WRITES = 3

/**
 * Another server may be slower and write an older checkpoint last, or end right after. So the file itself is compared each
 * time, and once more after writing it; the address, which can't be asked, gets the same one again after a while. It is never
 * waited for: sealing goes on. A copy that failed is tried again.
 */
export function createCheckpointCopy({ file, url, log }: Wish): CopyCheckpoint {
  const atUrl = putting(url, log)
  return async (publish) => {
    let note = await publish()
    void atUrl(note)
    if (file === null) return
    for (let writes = 0; writes < MOST_WRITES && (await bringFile(file, note, log)); writes += 1) note = await publish()
  }
}

/** False where the file says so already, or can't. */
async function bringFile(file: string, note: string, log: Logger): Promise<boolean> {
  try {
    if ((await readText(file)) === note) return false
    await replaceFile(file, note)
    return true
  } catch (error) {
    raiseAlarm(log, error)
    return false
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    throw error
  }
}

function putting(url: string | null, log: Logger): (note: string) => Promise<void> {
  let copied: string | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  return async (note) => {
    const pause = note === copied ? URL_REPEAT_MS : URL_PAUSE_MS
    if (url === null || performance.now() - triedAt < pause) return
    triedAt = performance.now()
    try {
      await put(url, note)
      copied = note
    } catch (error) {
      raiseAlarm(log, error)
    }
  }
}

function raiseAlarm(log: Logger, error: unknown): void {
  log.error({ err: error, alarm: "checkpoint_not_copied" }, "the checkpoint could not be copied to its second place")
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
