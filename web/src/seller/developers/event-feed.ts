import type { EventView } from "@tilinta/contract/api/events-endpoints"

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
