import type { EventView } from "@tilinta/contract/events"
import { useEffect, useState, useSyncExternalStore } from "react"
import { pauseBefore, pauseOrOnline } from "#seller/live/follow-seller.ts"
import { type EventPage, readNewestEvents, waitForEvents } from "./developers-data.ts"

/** So many stay on the screen, however long it is open, unless its reader asked for more. */
export const mostShown = 50

/**
 * The events of both, newest first. Those that are known may be far behind what came now, as after a night with the tab
 * hidden: then only the new ones remain, since the list would have a hole.
 */
export function withNewer(known: readonly EventView[], newer: readonly EventView[]): readonly EventView[] {
  const newest = known[0]?.sequence ?? 0
  const fresh = newer.filter(({ sequence }) => sequence > newest).toReversed()
  const oldestFresh = fresh.at(-1)?.sequence ?? newest
  const hasHole = fresh.length > 0 && known.length > 0 && oldestFresh > newest + 1
  return (hasHole ? fresh : [...fresh, ...known]).slice(0, Math.max(mostShown, known.length))
}

/** Adds what was before the oldest one. */
export function withOlder(known: readonly EventView[], older: readonly EventView[]): readonly EventView[] {
  const oldest = known.at(-1)?.sequence ?? Number.POSITIVE_INFINITY
  return [...known, ...older.filter(({ sequence }) => sequence < oldest).toReversed()]
}

export interface EventFeed {
  /** Newest first; undefined before the first answer. */
  events: readonly EventView[] | undefined
  /** The newest event that was known at the first answer: those after it came while the screen was open. */
  knownFrom: number
  /** Why the last call failed; null while all is well. */
  failure: unknown
  retry: () => void
  addOlder: (older: readonly EventView[]) => void
}

interface Heard {
  events: readonly EventView[] | undefined
  knownFrom: number
  failure: unknown
}

/** The account's events as they come, for as long as the tab is visible. */
export function useEventFeed(): EventFeed {
  const [heard, setHeard] = useState<Heard>({ events: undefined, knownFrom: 0, failure: null })
  const [attempt, setAttempt] = useState(0)
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === "visible")

  // A retry opens the feed anew, as a visible tab does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is that retry
  useEffect(() => {
    if (!isVisible) return
    const stopping = new AbortController()
    void follow(stopping.signal, {
      onEvents: (events) => setHeard((before) => ({ ...knownAt(before, events), failure: null })),
      onFailure: (failure) => setHeard((before) => ({ ...before, failure })),
    })
    return () => stopping.abort()
  }, [isVisible, attempt])

  return {
    ...heard,
    retry: () => setAttempt((before) => before + 1),
    addOlder: (older) =>
      setHeard((before) => ({ ...before, events: before.events && withOlder(before.events, older) })),
  }
}

function knownAt({ events: before, knownFrom }: Heard, came: readonly EventView[]): Omit<Heard, "failure"> {
  const events = withNewer(before ?? [], came)
  return { events, knownFrom: before === undefined ? (events[0]?.sequence ?? 0) : knownFrom }
}

interface Listener {
  onEvents: (events: readonly EventView[]) => void
  onFailure: (failure: unknown) => void
}

async function follow(stopped: AbortSignal, { onEvents, onFailure }: Listener): Promise<void> {
  let position: number | null = null
  let failures = 0
  while (!stopped.aborted) {
    try {
      const page: EventPage = await (position === null ? readNewestEvents(stopped) : waitForEvents(position, stopped))
      if (stopped.aborted) return
      position = page.next
      failures = 0
      onEvents(page.events)
    } catch (failure) {
      if (stopped.aborted) return
      failures += 1
      onFailure(failure)
      await pauseOrOnline(pauseBefore(failures, null, Math.random()), stopped)
    }
  }
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed)
  return () => document.removeEventListener("visibilitychange", changed)
}
