import { chmod, open, stat } from "node:fs/promises"
import { Transform } from "node:stream"
import { callbackify } from "node:util"
import { yieldWhenBusy } from "./waiting-line.ts"

const sticky = 0o1000

/**
 * Closes a folder of ours to other users of the machine. A shared folder such as /tmp, and one that belongs to somebody
 * else, stays as it is.
 */
export async function closeFolder(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  if ((mode & sticky) !== 0 || (process.getuid?.() ?? uid) !== uid) return
  await chmod(folder, 0o700)
}

/** File systems and folders that don't let us, as PostgreSQL sees it, too. */
const tolerated = ["EINVAL", "EBADF", "ENOTSUP", "EACCES"]

/** Makes a name in a folder survive a power cut: a file's own sync doesn't write its name. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder)
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!tolerated.includes((error as NodeJS.ErrnoException).code ?? "")) throw error
  }
}

const lineFeed = 0x0a
const afterOthers = callbackify(yieldWhenBusy)

/** Turns lines of JSON, as COPY writes them, into one list. Like `csvFile` it pauses while the server is busy. */
export function jsonFile(): Transform {
  const separator = Buffer.from(",\n")
  let before: Buffer = Buffer.from("[\n")
  let isInLine = false

  function listed(chunk: Buffer): Buffer {
    const parts: Buffer[] = []
    for (let start = 0; start < chunk.length; ) {
      const feed = chunk.indexOf(lineFeed, start)
      const end = feed === -1 ? chunk.length : feed
      if (!isInLine && end > start) parts.push(before)
      if (end > start) {
        isInLine = true
        before = separator
        parts.push(chunk.subarray(start, end))
      }
      if (feed !== -1) isInLine = false
      start = end + 1
    }
    return Buffer.concat(parts)
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      this.push(listed(chunk))
      afterOthers(done)
    },
    flush(done) {
      done(null, before === separator ? "\n]\n" : "[]\n")
    },
  })
}
