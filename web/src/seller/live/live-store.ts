import { useSyncExternalStore } from "react"

const freshMs = 8000
const listeners = new Set<() => void>()
let isLive = false
let fresh: ReadonlySet<string> = new Set()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setLive(next: boolean): void {
  if (next === isLive) return
  isLive = next
  notifyListeners()
}

/** Polling replaces the stream when it is down, and backs it up when it isn't. */
export function useRefreshMs(): number {
  return useSyncExternalStore(subscribe, () => isLive) ? 60_000 : 10_000
}

/** Highlights the rows of these ids for a moment. */
export function markFresh(ids: readonly string[]): void {
  fresh = new Set([...fresh, ...ids])
  notifyListeners()
  setTimeout(() => {
    fresh = new Set([...fresh].filter((id) => !ids.includes(id)))
    notifyListeners()
  }, freshMs)
}

export function useFresh(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => fresh)
}
