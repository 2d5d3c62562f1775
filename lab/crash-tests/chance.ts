/** Draws that depend on the seed alone (mulberry32). */
export interface Chance {
  /** In [0, 1). */
  draw(): number
  /** From `least` to `most`, both inclusive. */
  between(least: number, most: number): number
  is(probability: number): boolean
  /** Undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined
}

export function createChance(seed: number): Chance {
  let state = seed | 0

  function draw(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1))
  return {
    draw,
    between,
    is: (probability) => draw() < probability,
    pick: (items) => items[between(0, items.length - 1)],
  }
}
