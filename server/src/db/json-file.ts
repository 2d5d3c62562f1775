import { Transform } from "node:stream"
import { callbackify } from "node:util"
import { yieldWhenBusy } from "#kit/yield-when-busy"

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
