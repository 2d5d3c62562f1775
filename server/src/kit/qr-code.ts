import { crc32, deflateSync } from "node:zlib"
import { encodeQR } from "qr"

/** Light modules around a code, which readers need. */
export const quietModules = 4
const pixelsPerModule = 6
/** The pixels of a light module. */
const white = 0b111111

/** How much of a code may be hidden and still be read: M a sixth, Q a quarter. */
type QrLevel = "M" | "Q"

const nameOf = { M: "medium", Q: "quartile" } as const

/** The rows of a code with its quiet zone; true is dark. */
export function qrModules(text: string, level: QrLevel): boolean[][] {
  return encodeQR(text, "raw", { ecc: nameOf[level], border: quietModules })
}

interface DarkRun {
  row: number
  column: number
  length: number
}

/** The dark modules of a code as horizontal runs. */
export function* darkRuns(modules: readonly boolean[][]): Generator<DarkRun> {
  for (const [row, cells] of modules.entries()) {
    for (let column = 0; column < cells.length; column += 1) {
      if (cells[column] !== true) continue
      const start = column
      while (cells[column + 1] === true) column += 1
      yield { row, column: start, length: column + 1 - start }
    }
  }
}

/** Black on white as one path: sharp at every printed size. */
export function qrSvg(text: string, level: QrLevel = "Q"): string {
  const modules = qrModules(text, level)
  const side = modules.length
  let path = ""
  for (const { row, column, length } of darkRuns(modules)) path += `M${column} ${row}h${length}v1H${column}z`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`,
  ].join("")
}

/** For the `src` of an image, so that it is there with its page. */
export function qrDataUrl(text: string, level: QrLevel = "Q"): string {
  return `data:image/svg+xml;base64,${Buffer.from(qrSvg(text, level)).toString("base64")}`
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
const oneBitGrey = [1, 0, 0, 0, 0]
const sameAsAbove = 2

/** A black-and-white PNG of one bit per pixel: a sixth of the usual size, so that it fits into a reply. */
export function qrPng(text: string): Buffer {
  const modules = qrModules(text, "M")
  const side = modules.length * pixelsPerModule
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set(oneBitGrey, 8)
  // Higher levels take longer for a tenth less.
  const data = deflateSync(packedPixels(modules, side), { level: 1 })
  return Buffer.concat([signature, ...chunk("IHDR", header), ...chunk("IDAT", data), ...chunk("IEND", Buffer.alloc(0))])
}

/** Each row of pixels begins with its filter; of those of a row of modules only the first is written out. */
function packedPixels(modules: readonly boolean[][], side: number): Buffer {
  const length = 1 + Math.ceil(side / 8)
  const pixels = Buffer.alloc(length * side)
  modules.forEach((cells, row) => {
    const begin = row * pixelsPerModule * length
    pixels.set(packedRow(cells, length - 1), begin + 1)
    for (let copy = 1; copy < pixelsPerModule; copy += 1) pixels[begin + copy * length] = sameAsAbove
  })
  return pixels
}

/** A set bit is white. */
function packedRow(cells: readonly boolean[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let bits = 0
  let count = 0
  let at = 0
  for (const isDark of cells) {
    bits = (bits << pixelsPerModule) | (isDark ? 0 : white)
    count += pixelsPerModule
    if (count < 8) continue
    count -= 8
    bytes[at++] = bits >> count
  }
  if (count > 0) bytes[at] = bits << (8 - count)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, "latin1")
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return [head, data, sum]
}
