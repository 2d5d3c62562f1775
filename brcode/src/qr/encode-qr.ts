import { dataBytesOf, largestVersion, type QrLevel } from "./capacity.ts"
import { codewordsOf } from "./codewords.ts"
import { penaltyOf } from "./mask-penalty.ts"
import { isDark, type ModuleGrid, turnOver } from "./module-grid.ts"
import { bitsOf, type Segment, splitText } from "./segments.ts"
import { frameOf, masksOf } from "./symbol-frame.ts"

export interface QrCode {
  version: number
  mask: number
  /** Modules of a side, without the quiet zone. */
  size: number
  isDark(row: number, column: number): boolean
  /** Eight modules of a row, from a column divisible by eight: leftmost in the lowest bit, light beyond the edge. */
  eightOf(row: number, column: number): number
}

interface Wishes {
  level: QrLevel
  /** The mask with the lowest penalty when absent. */
  mask?: number
}

/** Uses the smallest version that holds the text. */
export function encodeQr(text: string, { level, mask }: Wishes): QrCode {
  const { version, segments } = fit(text, level)
  const data = drawData(version, codewordsOf(segments, version, level))
  const masks = masksOf(version, level)
  const chosen = mask ?? bestMask(data, masks)
  const { size } = data
  const drawn = { size, upright: drawnOf(data.upright, masks[chosen]?.upright ?? data.upright) }
  return {
    version,
    mask: chosen,
    size,
    isDark: (row, column) => isDark(drawn, row, column),
    eightOf: (row, column) => ((drawn.upright[(column >> 5) * size + row] ?? 0) >>> (column & 31)) & 255,
  }
}

/** XOR: a module is dark where exactly one of both is. */
function drawnOf(data: Int32Array, mask: Int32Array): Int32Array {
  const drawn = new Int32Array(data.length)
  for (let at = 0; at < drawn.length; at++) drawn[at] = (data[at] ?? 0) ^ (mask[at] ?? 0)
  return drawn
}

function fit(text: string, level: QrLevel): { version: number; segments: Segment[] } {
  for (const [from, to] of [
    [1, 9],
    [10, 26],
    [27, largestVersion],
  ] as const) {
    const segments = splitText(text, from)
    const bits = segments.reduce((sum, segment) => sum + bitsOf(segment, from), 0)
    for (let version = from; version <= to; version++) {
      if (bits <= dataBytesOf(version, level) * 8) return { version, segments }
    }
  }
  throw new RangeError("the text is too long for a QR code")
}

/** Reuses the version's grid, which the next text overwrites. */
function drawData(version: number, codewords: Uint8Array): ModuleGrid {
  const { path, data } = frameOf(version)
  const { upright } = data
  upright.fill(0)
  for (let byte = 0, at = 0; byte < codewords.length; byte++) {
    const value = codewords[byte] ?? 0
    for (let bit = 7; bit >= 0; bit--, at++) {
      const place = path[at] ?? 0
      upright[place >> 5] = (upright[place >> 5] ?? 0) | (((value >>> bit) & 1) << (place & 31))
    }
  }
  turnOver(data)
  return data
}

function bestMask(data: ModuleGrid, masks: readonly ModuleGrid[]): number {
  let best = 0
  let lowest = Number.MAX_SAFE_INTEGER
  for (const [at, mask] of masks.entries()) {
    const penalty = penaltyOf(data, mask, lowest)
    if (penalty >= lowest) continue
    lowest = penalty
    best = at
  }
  return best
}
