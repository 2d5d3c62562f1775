import { Transform } from "node:stream"

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const quote = 0x22
const carriageReturn = 0x0d
const lineFeed = 0x0a

/** Of what COPY writes, the file that spreadsheets expect: marked as UTF-8, rows ended by CRLF, cells as they are. */
export function csvFile(): Transform {
  let hasBegun = false
  let isQuoted = false

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!hasBegun) this.push(byteOrderMark)
      hasBegun = true
      const bytes = Buffer.allocUnsafe(chunk.length * 2)
      let length = 0
      for (const byte of chunk) {
        if (byte === quote) isQuoted = !isQuoted
        else if (byte === lineFeed && !isQuoted) bytes[length++] = carriageReturn
        bytes[length++] = byte
      }
      done(null, bytes.subarray(0, length))
    },
  })
}
