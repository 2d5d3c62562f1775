export interface Listeners<L> {
  /** Returns the way to stop. */
  add(key: string, listener: L): () => void
  of(key: string): L[]
  all(): L[]
}

/** Who waits for what; a key that nobody waits for any more takes no room. */
export function createListeners<L>(): Listeners<L> {
  const byKey = new Map<string, Set<L>>()
  return {
    add(key, listener) {
      const ofKey = byKey.get(key) ?? new Set()
      byKey.set(key, ofKey.add(listener))
      return () => {
        ofKey.delete(listener)
        if (ofKey.size === 0) byKey.delete(key)
      }
    },
    of: (key) => [...(byKey.get(key) ?? [])],
    all: () => [...byKey.values()].flatMap((ofKey) => [...ofKey]),
  }
}
