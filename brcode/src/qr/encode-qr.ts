import { dataBytesOf, largestVersion, type QrLevel } from "./capacity.ts"
import { codewordsOf } from "./codewords.ts"
import { penaltyOf } from "./mask-penalty.ts"
import { darkenAt, emptyGrid, isDark, type ModuleGrid, putTogether } from "./module-grid.ts"
import { bitsOf, type Segment, splitText } from "./segments.ts"
import { frameOf, masksOf } from "./symbol-frame.ts"

export interface QrCode {
  version: number
  mask: number
  /** Modules of a side, without the quiet zone. */
  size: number
  isDark(row: number, column: number): boolean
  /** Four modules of a row, the leftmost one lowest; what is beyond the edge is light. */
  fourOf(row: number, column: number): number
}

interface Wishes {
  level: QrLevel
  /** Without it the one that reads best. */
  mask?: number
}

/** In the smallest symbol that holds the text. */
export function encodeQr(text: string, { level, mask }: Wishes): QrCode {
  const { version, segments } = fit(text, level)
  const data = drawData(version, codewordsOf(segments, version, level))
  const masks = masksOf(version, level)
  const chosen = mask ?? bestMask(data, masks)
  const drawn = emptyGrid(data.size)
  putTogether(drawn, data, masks[chosen] ?? data)
  return {
    version,
    mask: chosen,
    size: drawn.size,
    isDark: (row, column) => isDark(drawn, row, column),
    fourOf: (row, column) => ((drawn.upright[(column >> 5) * drawn.size + row] ?? 0) >>> (column & 31)) & 15,
  }
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

function drawData(version: number, codewords: Uint8Array): ModuleGrid {
  const { size, uprightPath, turnedPath } = frameOf(version)
  const data = emptyGrid(size)
  for (let byte = 0, at = 0; byte < codewords.length; byte++) {
    const value = codewords[byte] ?? 0
    for (let bit = 7; bit >= 0; bit--, at++) {
      const dark = (value >>> bit) & 1
      darkenAt(data.upright, uprightPath[at] ?? 0, dark)
      darkenAt(data.turned, turnedPath[at] ?? 0, dark)
    }
  }
  return data
}

function bestMask(data: ModuleGrid, masks: readonly ModuleGrid[]): number {
  const drawn = emptyGrid(data.size)
  let best = 0
  let lowest = Number.POSITIVE_INFINITY
  for (const [mask, grid] of masks.entries()) {
    putTogether(drawn, data, grid)
    const penalty = penaltyOf(drawn)
    if (penalty >= lowest) continue
    lowest = penalty
    best = mask
  }
  return best
}
