import { crc32 } from "node:zlib"
import { encodeQr, type QrCode } from "@tilinta/brcode/qr/encode-qr"
import { BitSink, type Bits, bitsOfBytes, bitsOfEnd, bitsOfHeader, bitsOfRepeat } from "./packed-bits.ts"

const MARGIN_MODULES = 4
const PIXELS_PER_MODULE = 6

/** Four modules are three bytes of pixels; a set bit is white. */
const BYTES_OF_FOUR = 3
const MARGIN_BYTES = (MARGIN_MODULES / 4) * BYTES_OF_FOUR
const WHITE = 0xff
const asItIs = 0
const sameAsAbove = 2

interface Piece {
  bits: Bits
  /** What they add to the sum, and to the sum of sums beside three times the sum before. */
  sum: number
  sums: number
}

const pieceOfFour: readonly Piece[] = Array.from({ length: 16 }, (_, four) => {
  const pixels = Array.from({ length: 24 }, (_pixel, x) => 1 - ((four >> Math.floor(x / PIXELS_PER_MODULE)) & 1))
  const [first = 0, second = 0, third = 0] = [0, 8, 16].map((from) =>
    Number.parseInt(pixels.slice(from, from + 8).join(""), 2),
  )
  const bits = bitsOfBytes([first, second, third])
  return { bits, sum: first + second + third, sums: 3 * first + 2 * second + third }
})
const drawnAsItIs = bitsOfBytes([asItIs])
const white = bitsOfBytes([WHITE])
const header = bitsOfHeader()

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
const end = chunk("IEND", Buffer.alloc(0))

/** A black-and-white PNG of one bit per pixel: a sixth of the usual size, and cheap to make. */
export function qrPng(text: string): Buffer {
  const code = encodeQr(text, { level: "M" })
  const side = (code.size + 2 * MARGIN_MODULES) * PIXELS_PER_MODULE
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", packedRows(code, side)), end])
}

/** Each row starts with its filter byte. Of a row of modules one is drawn, and five repeat it. */
function packedRows(code: QrCode, side: number): Buffer {
  const width = Math.ceil(side / 8)
  const rows = code.size + 2 * MARGIN_MODULES
  const sink = new BitSink(512 + rows * (width + 32))
  const sum = new Adler()
  const { first, later } = repeatsOf(width)
  sink.write({ value: 0x0178, count: 16 })
  sink.writeAll(header)
  for (let row = 0; row < rows; row++) {
    const drawn = row - MARGIN_MODULES
    sink.write(drawnAsItIs)
    sum.add(asItIs)
    if (drawn >= 0 && drawn < code.size) writeModules({ sink, sum, width }, code, drawn)
    else writeWhite({ sink, sum }, width)
    sink.writeAll(row === 0 ? first : later)
    sum.addRepeats(width)
  }
  sink.write(bitsOfEnd)
  return sink.endWith(sum.value)
}

interface Repeats {
  first: Bits[]
  later: Bits[]
}

const repeatsByWidth = new Map<number, Repeats>()

/** The first five rows that repeat the one above them, and all later ones, which repeat those. */
function repeatsOf(width: number): Repeats {
  const known = repeatsByWidth.get(width)
  if (known !== undefined) return known
  const bytes = width + 1
  const zeros = Array.from({ length: width }, () => bitsOfBytes([0]))
  const repeats = PIXELS_PER_MODULE - 1
  const made: Repeats = {
    first: [bitsOfBytes([sameAsAbove]), ...zeros, ...bitsOfRepeat((repeats - 1) * bytes, bytes)],
    later: bitsOfRepeat(repeats * bytes, PIXELS_PER_MODULE * bytes),
  }
  repeatsByWidth.set(width, made)
  return made
}

interface Drawing {
  sink: BitSink
  sum: Adler
}

function writeModules({ sink, sum, width }: Drawing & { width: number }, code: QrCode, row: number): void {
  writeWhite({ sink, sum }, MARGIN_BYTES)
  for (let column = 0; column < code.size; column += 4) {
    const piece = pieceOfFour[code.fourOf(row, column)]
    if (piece === undefined) continue
    sink.write(piece.bits)
    sum.addPiece(piece)
  }
  writeWhite({ sink, sum }, width - MARGIN_BYTES - Math.ceil(code.size / 4) * BYTES_OF_FOUR)
}

function writeWhite({ sink, sum }: Drawing, bytes: number): void {
  for (let byte = 0; byte < bytes; byte++) {
    sink.write(white)
    sum.add(WHITE)
  }
}

/** Adler-32 of what is packed (RFC 1950); a row keeps both sums far below what a number holds. */
class Adler {
  #sum = 1
  #sums = 0

  get value(): number {
    return (this.#sums % 65_521) * 65_536 + (this.#sum % 65_521)
  }

  add(byte: number): void {
    this.#sum += byte
    this.#sums += this.#sum
  }

  addPiece({ sum, sums }: Piece): void {
    this.#sums += 3 * this.#sum + sums
    this.#sum += sum
  }

  addRepeats(width: number): void {
    for (let row = 1; row < PIXELS_PER_MODULE; row++) {
      this.add(sameAsAbove)
      this.#sums += width * this.#sum
    }
    this.#sum %= 65_521
    this.#sums %= 65_521
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length, 0)
  framed.write(type, 4, "latin1")
  framed.set(data, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8)
  return framed
}
