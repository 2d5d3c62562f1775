import type { ModuleGrid } from "./module-grid.ts"

/** How hard a symbol is to read (ISO/IEC 18004, 7.8.3.1): the mask with the lowest sum is taken. */
export function penaltyOf(grid: ModuleGrid): number {
  const { upright, turned, size, words } = grid
  return (
    penaltyOfColumns(upright, size, words) +
    penaltyOfColumns(turned, size, words) +
    penaltyOfBlocks(upright, size, words) +
    penaltyOfBalance(upright, size)
  )
}

/** Runs of five and more, and what looks like a finder beside four light modules; 32 columns at once. */
function penaltyOfColumns(modules: Int32Array, size: number, words: number): number {
  let runs = 0
  let finders = 0
  for (let word = 0; word < words; word++) {
    const start = word * size
    const inside = insideOf(size, word)
    let twoBack = 0
    let oneBack = 0
    let sameBefore = 0
    let runBefore = 0
    for (let row = 1; row < size; row++) {
      const at = start + row
      const same = ~((modules[at] ?? 0) ^ (modules[at - 1] ?? 0)) & inside
      const three = same & sameBefore
      const run = three & twoBack
      if (run !== 0) runs += countBits(run) + 2 * countBits(run & ~runBefore)
      if (row >= 6) finders += findersAbove(modules, start, row, size)
      twoBack = oneBack
      oneBack = three
      sameBefore = same
      runBefore = run
    }
  }
  return runs + 40 * finders
}

/** Those whose seven modules end in this row; beyond the edge nothing is light. */
function findersAbove(modules: Int32Array, start: number, row: number, size: number): number {
  const at = start + row
  const dark = (modules[at] ?? 0) & (modules[at - 2] ?? 0) & (modules[at - 3] ?? 0) & (modules[at - 4] ?? 0)
  const found = dark & (modules[at - 6] ?? 0) & ~((modules[at - 1] ?? 0) | (modules[at - 5] ?? 0))
  if (found === 0) return 0
  let count = 0
  if (row >= 10) count += countBits(found & ~anyOfFour(modules, at - 10))
  if (row + 4 < size) count += countBits(found & ~anyOfFour(modules, at + 1))
  return count
}

function anyOfFour(modules: Int32Array, at: number): number {
  return (modules[at] ?? 0) | (modules[at + 1] ?? 0) | (modules[at + 2] ?? 0) | (modules[at + 3] ?? 0)
}

/** Two by two of one colour. */
function penaltyOfBlocks(modules: Int32Array, size: number, words: number): number {
  let blocks = 0
  for (let word = 0; word < words; word++) {
    const start = word * size
    // The last column has none to its right.
    const inside = insideOf(size - 1, word)
    let before = 0
    let wideBefore = 0
    for (let row = 0; row < size; row++) {
      const here = modules[start + row] ?? 0
      const right = word + 1 < words ? (modules[start + size + row] ?? 0) << 31 : 0
      const wide = ~(here ^ ((here >>> 1) | right)) & inside
      blocks += countBits(wide & wideBefore & ~(here ^ before))
      before = here
      wideBefore = wide
    }
  }
  return 3 * blocks
}

function penaltyOfBalance(modules: Int32Array, size: number): number {
  let dark = 0
  for (const word of modules) dark += countBits(word)
  return 10 * Math.abs(Math.ceil((dark * 20) / (size * size)) - 10)
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
