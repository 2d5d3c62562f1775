/**
 * Modules as bits, 32 of a row in a word and the words of one column of words behind each other. Kept twice, as it is
 * and turned over, so that whatever looks along a column looks along 32 of them at once, and along rows likewise.
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

/** The word of a module, and its bit in the lowest five. */
export function placeOf(size: number, row: number, column: number): number {
  return ((column >> 5) * size + row) * 32 + (column & 31)
}

export function darkenAt(words: Int32Array, place: number, bit: number): void {
  words[place >> 5] = (words[place >> 5] ?? 0) | (bit << (place & 31))
}

export function darken({ size, upright, turned }: ModuleGrid, row: number, column: number): void {
  darkenAt(upright, placeOf(size, row, column), 1)
  darkenAt(turned, placeOf(size, column, row), 1)
}

export function isDark({ size, upright }: ModuleGrid, row: number, column: number): boolean {
  return (((upright[(column >> 5) * size + row] ?? 0) >>> (column & 31)) & 1) === 1
}

/** Dark where exactly one of both is. */
export function putTogether(into: ModuleGrid, one: ModuleGrid, other: ModuleGrid): void {
  for (let at = 0; at < into.upright.length; at++) {
    into.upright[at] = (one.upright[at] ?? 0) ^ (other.upright[at] ?? 0)
    into.turned[at] = (one.turned[at] ?? 0) ^ (other.turned[at] ?? 0)
  }
}
