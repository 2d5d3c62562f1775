/**
 * A bitmap: each word holds 32 modules of a row, and the words of one column of words are contiguous. It is kept twice,
 * upright and transposed, so that columns and rows alike are processed 32 at once.
 */
export interface ModuleGrid {
  size: number
  words: number
  upright: Int32Array
  turned: Int32Array
}

export function emptyGrid(size: number): ModuleGrid {
  const words = (size + 31) >> 5
  return { size, words, upright: new Int32Array(words * size), turned: new Int32Array(words * size) }
}

/** Bit address of a module: the word's index above, the bit within the word in the lowest five bits. */
export function placeOf(size: number, row: number, column: number): number {
  return ((column >> 5) * size + row) * 32 + (column & 31)
}

export function darken({ size, upright, turned }: ModuleGrid, row: number, column: number): void {
  darkenAt(upright, placeOf(size, row, column))
  darkenAt(turned, placeOf(size, column, row))
}

function darkenAt(words: Int32Array, place: number): void {
  words[place >> 5] = (words[place >> 5] ?? 0) | (1 << (place & 31))
}

export function isDark(grid: Pick<ModuleGrid, "size" | "upright">, row: number, column: number): boolean {
  return (((grid.upright[(column >> 5) * grid.size + row] ?? 0) >>> (column & 31)) & 1) === 1
}

const square = new Int32Array(32)

/** Transposes the upright bitmap in 32 × 32 blocks, by swapping halves, quarters, eighths and so on. */
export function turnOver({ size, words, upright, turned }: ModuleGrid): void {
  for (let down = 0; down < words; down++) {
    const rows = Math.min(32, size - 32 * down)
    for (let across = 0; across < words; across++) {
      const from = across * size + 32 * down
      for (let row = 0; row < 32; row++) square[row] = row < rows ? (upright[from + row] ?? 0) : 0
      turnSquare()
      const columns = Math.min(32, size - 32 * across)
      const to = down * size + 32 * across
      for (let at = 0; at < columns; at++) turned[to + at] = square[at] ?? 0
    }
  }
}

function turnSquare(): void {
  for (let half = 16, low = 0xffff; half > 0; half >>= 1, low ^= low << half) {
    for (let row = 0; row < 32; row = ((row | half) + 1) & ~half) {
      const upper = square[row] ?? 0
      const lower = square[row + half] ?? 0
      const moved = ((upper >>> half) ^ lower) & low
      square[row] = upper ^ (moved << half)
      square[row + half] = lower ^ moved
    }
  }
}
