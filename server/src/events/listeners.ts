interface Listeners<L> {
  /** Returns the unsubscribe function. */
  add(key: string, listener: L): () => void
  of(key: string): L[]
  all(): L[]
}

/** Listeners by key; a key without listeners takes no memory. */
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
