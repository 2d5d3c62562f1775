import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import type { Logger } from "#kit/log"
import { sizeOf } from "./block.ts"

interface CheckpointCopyOptions {
  /** Replaced as a whole, so that nobody reads half of it. */
  file: string | null
  /** Gets the latest checkpoint by PUT. */
  url: string | null
  log: Logger
}

/** The checkpoints that whoever may change the database can't reach: of this process, and of the second place. */
export interface CheckpointCopy {
  /** The chain must begin with each of them. */
  readKept(): Promise<string[]>
  remember(note: string): void
  /** Brings the second place up to the latest checkpoint. */
  bring(publish: () => Promise<string>): Promise<void>
}

const URL_PAUSE_MS = 60_000
const URL_REPEAT_MS = 600_000
const PATIENCE_MS = 10_000
const READING_PATIENCE_MS = 3_000
const MOST_WRITES = 3

/**
 * Another server may be slower and write an older checkpoint last, or end right after. So the file itself is compared each
 * time, and once more after writing it; the address gets the same one again after a while, and is asked until it has answered
 * once. Writing there is never waited for: sealing goes on. A copy that failed is tried again.
 */
export function createCheckpointCopy({ file, url, log }: CheckpointCopyOptions): CheckpointCopy {
  const putToUrl = createUrlCopy(url, log)
  const readUrl = createUrlReading(url)
  let latest: string | null = null
  return {
    async readKept() {
      const inFile = file === null ? null : await readKeptFile(file, log)
      return [latest, inFile, await readUrl()].flatMap((text) => (text !== null && isCheckpoint(text) ? [text] : []))
    },
    remember(note) {
      if (latest === null || sizeOf(latest) <= sizeOf(note)) latest = note
    },
    async bring(publish) {
      let note = await publish()
      void putToUrl(note)
      if (file === null) return
      for (let writes = 0; writes < MOST_WRITES && (await bringFile(file, note, log)); writes += 1) {
        note = await publish()
      }
    },
  }
}

/** Any other text in the second place is nobody's checkpoint: an empty file, a page that says that there is none. */
function isCheckpoint(text: string): boolean {
  return /^[^\n]+\n\d{1,15}\n[A-Za-z0-9+/]{43}=\n/.test(text)
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

/** A file that can't be read can't be compared: that is told, and signing goes on by what else is known. */
async function readKeptFile(file: string, log: Logger): Promise<string | null> {
  try {
    return await readText(file)
  } catch (error) {
    raiseAlarm(log, error)
    return null
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

/** Reads what the address held when it first answered; an address that only takes PUT holds nothing for us. */
function createUrlReading(url: string | null): () => Promise<string | null> {
  let triedAt = Number.NEGATIVE_INFINITY
  let isAnswered = false
  let held: string | null = null
  return async () => {
    if (url === null || isAnswered || performance.now() - triedAt < URL_PAUSE_MS) return held
    triedAt = performance.now()
    try {
      const reply = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(READING_PATIENCE_MS) })
      const text = await reply.text()
      isAnswered = reply.status < 500
      if (reply.ok) held = text
    } catch {
      // It can't be reached now: what this process and the file know counts meanwhile.
    }
    return held
  }
}

function createUrlCopy(url: string | null, log: Logger): (note: string) => Promise<void> {
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
