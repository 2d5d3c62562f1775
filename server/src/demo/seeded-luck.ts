import { seededChance } from "@tilinta/simulator/seeded-chance"

/** Seeded, so that every demonstration shows the same data. */
export interface Luck {
  /** In [0, 1). */
  next(): number
  /** An integer, both ends inclusive. */
  between(least: number, most: number): number
  isTrue(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function createLuck(seed: number): Luck {
  let draws = 0
  const next = () => seededChance(seed, draws++)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    isTrue: (probability) => next() < probability,
    pick(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError("nothing to pick from")
      return item
    },
  }
}
