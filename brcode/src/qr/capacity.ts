/** The damage that a symbol tolerates: about 15 % at M, 25 % at Q. */
export type QrLevel = "M" | "Q"

/** The division of a symbol's bytes into blocks: `longBlocks` of them hold one data byte more than the others. */
export interface BlockPlan {
  blocks: number
  longBlocks: number
  shortDataBytes: number
  correctionBytes: number
}

export const largestVersion = 40

/** ISO/IEC 18004, table 9: correction bytes of each block, and blocks, by version from 1 on. */
const correctionBytesOf = {
  M: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  Q: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
} satisfies Record<QrLevel, number[]>
const blocksOf = {
  M: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35, 37, 38, 40, 43, 45, 47, 49,
  ],
  Q: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45,
    48, 51, 53, 56, 59, 62, 65, 68,
  ],
} satisfies Record<QrLevel, number[]>

export function sizeOf(version: number): number {
  return 17 + 4 * version
}

export function blockPlanOf(version: number, level: QrLevel): BlockPlan {
  const bytes = bytesOf(version)
  const blocks = blocksOf[level][version - 1] ?? 0
  const correctionBytes = correctionBytesOf[level][version - 1] ?? 0
  return {
    blocks,
    longBlocks: bytes % blocks,
    shortDataBytes: Math.floor(bytes / blocks) - correctionBytes,
    correctionBytes,
  }
}

export function dataBytesOf(version: number, level: QrLevel): number {
  const { blocks, longBlocks, shortDataBytes } = blockPlanOf(version, level)
  return blocks * shortDataBytes + longBlocks
}

/** All modules, minus finders, timing, alignment, format and version. */
function bytesOf(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2
  const ofAlignments = alignments === 0 ? 0 : (25 * alignments - 10) * alignments - 55
  const ofVersion = version >= 7 ? 36 : 0
  return Math.floor(((16 * version + 128) * version + 64 - ofAlignments - ofVersion) / 8)
}
