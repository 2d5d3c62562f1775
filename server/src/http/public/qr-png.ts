import { crc32, deflateSync } from "node:zlib"
import { create } from "qrcode"

const MARGIN_MODULES = 4
const PIXELS_PER_MODULE = 6

/** A black-and-white PNG of one bit per pixel: a sixth of the usual size, and cheap to make. */
export function qrPng(text: string): Buffer {
  const { modules } = create(text, { errorCorrectionLevel: "M" })
  const side = (modules.size + 2 * MARGIN_MODULES) * PIXELS_PER_MODULE
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixelRows(modules, side))),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** Each row starts with its filter byte, 0; a set bit is white. */
function pixelRows(modules: { size: number; get(row: number, column: number): number }, side: number): Buffer {
  const bytesPerRow = Math.ceil(side / 8) + 1
  const rows = Buffer.alloc(bytesPerRow * side, 0xff)
  for (let y = 0; y < side; y++) {
    const start = y * bytesPerRow
    rows[start] = 0
    const row = Math.floor(y / PIXELS_PER_MODULE) - MARGIN_MODULES
    if (row < 0 || row >= modules.size) continue
    for (let x = 0; x < side; x++) {
      const column = Math.floor(x / PIXELS_PER_MODULE) - MARGIN_MODULES
      if (column < 0 || column >= modules.size || !modules.get(row, column)) continue
      const at = start + 1 + (x >> 3)
      rows[at] = (rows[at] ?? 0) & ~(0x80 >> (x & 7))
    }
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
