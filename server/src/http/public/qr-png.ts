import { crc32 } from "node:zlib"
import { encodeQr, type QrCode } from "@tilinta/brcode/qr/encode-qr"
import { BitSink, type Bits, bitsOfBytes, bitsOfEnd, bitsOfHeader, bitsOfRepeat, joined } from "./packed-bits.ts"

const MARGIN_MODULES = 4
const PIXELS_PER_MODULE = 6

/** Four modules take three bytes of pixels; a set bit is white. */
const BYTES_OF_FOUR = 3
const MARGIN_BYTES = (MARGIN_MODULES / 4) * BYTES_OF_FOUR
const WHITE = 0xff
const asItIs = 0
const sameAsAbove = 2

interface Piece {
  bits: Bits
  bytes: number
  /** Their contribution to Adler-32's `a`, and to `b` apart from `length × a`. */
  sum: number
  sums: number
}

const pieceOfEight = piecesOf(8)
const pieceOfFour = piecesOf(4)

function piecesOf(modules: number): readonly Piece[] {
  return Array.from({ length: 1 << modules }, (_, dark) => {
    const pixels = Array.from({ length: modules * PIXELS_PER_MODULE }, (_pixel, x) => {
      return 1 - ((dark >> Math.floor(x / PIXELS_PER_MODULE)) & 1)
    })
    const bytes = Array.from({ length: pixels.length / 8 }, (_byte, at) =>
      Number.parseInt(pixels.slice(8 * at, 8 * at + 8).join(""), 2),
    )
    const sums = bytes.reduce((all, byte, at) => all + byte * (bytes.length - at), 0)
    return {
      bits: bitsOfBytes(bytes),
      bytes: bytes.length,
      sum: bytes.reduce((all, byte) => all + byte, 0),
      sums,
    }
  })
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
const end = Buffer.concat(chunk("IEND", Buffer.alloc(0)))

/** A black-and-white PNG of one bit per pixel: a sixth of the usual size, and cheap to make. */
export function qrPng(text: string): Buffer {
  const code = encodeQr(text, { level: "M" })
  const layout = layoutOf(code.size)
  return Buffer.concat([layout.start, ...chunk("IDAT", packedRows(code, layout)), end])
}

/** Parts shared by all images of one size. */
interface Layout {
  start: Buffer
  /** Reused for each image. */
  sink: BitSink
  /** Bytes of a row of pixels, and how many of them lie outside the modules. */
  width: number
  rightBytes: number
  above: readonly Bits[]
  beforeModules: readonly Bits[]
  afterModules: readonly Bits[]
  below: readonly Bits[]
}

const layouts = new Map<number, Layout>()

function layoutOf(size: number): Layout {
  const known = layouts.get(size)
  if (known !== undefined) return known
  const rows = size + 2 * MARGIN_MODULES
  const side = rows * PIXELS_PER_MODULE
  const width = Math.ceil(side / 8)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const { first, later } = repeatsOf(width)
  const rightBytes = width - MARGIN_BYTES - Math.ceil(size / 4) * BYTES_OF_FOUR
  const whiteRow = [bitsOfBytes([asItIs]), ...whiteBits(width)]
  const whiteRows = Array.from({ length: MARGIN_MODULES - 1 }, () => [...whiteRow, ...later]).flat()
  const made: Layout = {
    start: Buffer.concat([signature, ...chunk("IHDR", head)]),
    sink: new BitSink(512 + rows * (width + 32)),
    ...{ width, rightBytes },
    above: joined([{ value: 0x0178, count: 16 }, ...bitsOfHeader(), ...whiteRow, ...first, ...whiteRows]),
    beforeModules: joined([bitsOfBytes([asItIs]), ...whiteBits(MARGIN_BYTES)]),
    afterModules: joined([...whiteBits(rightBytes), ...later]),
    below: joined([...whiteRow, ...later, ...whiteRows, bitsOfEnd]),
  }
  layouts.set(size, made)
  return made
}

function whiteBits(bytes: number): Bits[] {
  return Array.from({ length: bytes }, () => bitsOfBytes([WHITE]))
}

/** Code for the first five rows that repeat the one above, and for all later repeats, which copy those. */
function repeatsOf(width: number): { first: Bits[]; later: Bits[] } {
  const bytes = width + 1
  const zeros = Array.from({ length: width }, () => bitsOfBytes([0]))
  const repeats = PIXELS_PER_MODULE - 1
  return {
    first: [bitsOfBytes([sameAsAbove]), ...zeros, ...bitsOfRepeat((repeats - 1) * bytes, bytes)],
    later: bitsOfRepeat(repeats * bytes, PIXELS_PER_MODULE * bytes),
  }
}

/** Each row starts with its filter byte. One pixel row per module row is encoded, and five repeat it. */
function packedRows(code: QrCode, { sink, width, rightBytes, ...layout }: Layout): Buffer {
  const sum = new Adler()
  sink.rewind()
  sink.writeAll(layout.above)
  sum.addWhiteRows(width)
  for (let row = 0; row < code.size; row++) {
    sink.writeAll(layout.beforeModules)
    sum.addRun(asItIs, 1)
    sum.addRun(WHITE, MARGIN_BYTES)
    writeModules(sink, sum, code, row)
    sink.writeAll(layout.afterModules)
    sum.addRun(WHITE, rightBytes)
    sum.addRepeats(width)
  }
  sink.writeAll(layout.below)
  sum.addWhiteRows(width)
  return sink.endWith(sum.value)
}

function writeModules(sink: BitSink, sum: Adler, code: QrCode, row: number): void {
  for (let column = 0; column < code.size; column += 8) {
    const modules = code.eightOf(row, column)
    // With at most four modules left the margin begins.
    const piece = (column + 4 < code.size ? pieceOfEight : pieceOfFour)[modules]
    if (piece === undefined) continue
    sink.write(piece.bits)
    sum.addPiece(piece)
  }
}

/** Adler-32 of the uncompressed data (RFC 1950); per row both sums stay far below a number's precision. */
class Adler {
  #sum = 1
  #sums = 0

  get value(): number {
    return (this.#sums % 65_521) * 65_536 + (this.#sum % 65_521)
  }

  /** Adds the same byte `count` times. */
  addRun(byte: number, count: number): void {
    this.#sums += count * this.#sum + (byte * count * (count + 1)) / 2
    this.#sum += byte * count
  }

  addPiece({ bytes, sum, sums }: Piece): void {
    this.#sums += bytes * this.#sum + sums
    this.#sum += sum
  }

  /** Adds rows of zeros, the difference to an equal row above. */
  addRepeats(width: number): void {
    for (let row = 1; row < PIXELS_PER_MODULE; row++) {
      this.#sum += sameAsAbove
      this.#sums += (width + 1) * this.#sum
    }
    this.#sum %= 65_521
    this.#sums %= 65_521
  }

  addWhiteRows(width: number): void {
    for (let row = 0; row < MARGIN_MODULES; row++) {
      this.addRun(asItIs, 1)
      this.addRun(WHITE, width)
      this.addRepeats(width)
    }
  }
}

function chunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, "latin1")
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return [head, data, sum]
}
