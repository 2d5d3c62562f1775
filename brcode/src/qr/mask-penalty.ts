import type { ModuleGrid } from "./module-grid.ts"

const LARGEST_SIZE = 177
/** A column of words as the mask draws it, and the column to its right, of which only the first bits count. */
const column = new Int32Array(LARGEST_SIZE)
const beside = new Int32Array(LARGEST_SIZE)

/**
 * Readability penalty (ISO/IEC 18004, 7.8.3.1); the mask with the lowest sum is chosen. Counting stops once the sum
 * exceeds the lowest so far.
 */
export function penaltyOf(data: ModuleGrid, mask: ModuleGrid, lowest: number): number {
  const { size, words } = data
  let penalty = 0
  for (let word = 0; word < words; word++) {
    draw(data.turned, mask.turned, word * size, size)
    penalty += penaltyOfColumns(size, insideOf(size, word))
  }
  let dark = 0
  for (let word = words - 1; word >= 0 && penalty < lowest; word--) {
    beside.set(column)
    draw(data.upright, mask.upright, word * size, size)
    penalty += penaltyOfColumns(size, insideOf(size, word)) + penaltyOfBlocks(size, word)
    dark += darkModules(size)
  }
  return penalty + 10 * Math.abs(Math.ceil((dark * 20) / (size * size)) - 10)
}

function draw(data: Int32Array, mask: Int32Array, start: number, size: number): void {
  for (let row = 0; row < size; row++) column[row] = (data[start + row] ?? 0) ^ (mask[start + row] ?? 0)
}

/** Penalties for runs of five or more and for finder-like patterns next to four light modules; 32 columns at once. */
function penaltyOfColumns(size: number, inside: number): number {
  let runs = 0
  let finders = 0
  let twoBack = 0
  let oneBack = 0
  let sameBefore = 0
  let runBefore = 0
  for (let row = 1; row < size; row++) {
    const same = ~((column[row] ?? 0) ^ (column[row - 1] ?? 0)) & inside
    const three = same & sameBefore
    const run = three & twoBack
    if (run !== 0) runs += countBits(run) + 2 * countBits(run & ~runBefore)
    if (row >= 10) finders += findersUntil(row)
    twoBack = oneBack
    oneBack = three
    sameBefore = same
    runBefore = run
  }
  return runs + 40 * finders
}

/**
 * Counts finder-like patterns of eleven modules that end in this row, the four light ones above or below; beyond the
 * edge nothing is light.
 */
function findersUntil(row: number): number {
  const either = (column[row - 4] ?? 0) & ~(column[row - 5] ?? 0) & (column[row - 6] ?? 0)
  const lower = either & (column[row] ?? 0) & ~(column[row - 1] ?? 0) & (column[row - 2] ?? 0) & (column[row - 3] ?? 0)
  const upper = either & ~anyOfFour(row - 3) & (column[row - 7] ?? 0) & (column[row - 8] ?? 0)
  let found = 0
  if (lower !== 0) found += countBits(lower & ~anyOfFour(row - 10))
  if (upper !== 0) found += countBits(upper & ~(column[row - 9] ?? 0) & (column[row - 10] ?? 0))
  return found
}

function anyOfFour(row: number): number {
  return (column[row] ?? 0) | (column[row + 1] ?? 0) | (column[row + 2] ?? 0) | (column[row + 3] ?? 0)
}

/** Penalty for 2 × 2 blocks of one colour. The last column has none to its right. */
function penaltyOfBlocks(size: number, word: number): number {
  const inside = insideOf(size - 1, word)
  let blocks = 0
  let before = 0
  let wideBefore = 0
  for (let row = 0; row < size; row++) {
    const here = column[row] ?? 0
    const wide = ~(here ^ ((here >>> 1) | ((beside[row] ?? 0) << 31))) & inside
    blocks += countBits(wide & wideBefore & ~(here ^ before))
    before = here
    wideBefore = wide
  }
  return 3 * blocks
}

function darkModules(size: number): number {
  let dark = 0
  for (let row = 0; row < size; row++) dark += countBits(column[row] ?? 0)
  return dark
}

function insideOf(size: number, word: number): number {
  const left = size - word * 32
  return left >= 32 ? -1 : left <= 0 ? 0 : (1 << left) - 1
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
