/** A cache of recently used keys: at least the last `most / 2`, never more than `most`. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** Two generations: when the young one is full, the old one is dropped as a whole, so nothing has to be sorted. */
export function createRecentMap<Key, Value>(most: number): RecentMap<Key, Value> {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  function set(key: Key, value: Value): void {
    if (young.size >= most / 2 && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const elder = old.get(key)
      if (elder !== undefined) set(key, elder)
      return elder
    },
    set,
  }
}
