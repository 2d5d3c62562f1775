export type Lane = "fast" | "patient"
export const laneNames = ["fast", "patient"] as const

const MOST_AT_ONCE = 256
/** Endpoints that fail or take long share these, whatever they owe. */
const MOST_PATIENT = 64
export const mostPerEndpoint = { fast: 10, patient: 4 }
/** A failing one is asked whether it answers again, no more. */
export const MOST_PER_FAILING_ENDPOINT = 1
/** Upper bound of one claim. */
const MOST_CLAIMED = 100

interface Place {
  endpointId: string
  isFailing: boolean
}

export interface InFlight {
  endpointId: string
  count: number
}

interface Lanes {
  /** How many more may be claimed; noted when there is no room. */
  roomIn(lane: Lane): number
  inFlight(): InFlight[]
  /** Takes places for what a claim gave that knew what was in flight before. */
  take(lane: Lane, claimed: readonly Place[], before: readonly InFlight[]): void
  /** True when more may be due than was allowed before. */
  leave(lane: Lane, endpointId: string): boolean
}

/** Counts what this process is sending, so that dead and slow endpoints hold few of the places. */
export function createLanes(): Lanes {
  const counts: Record<Lane, number> = { fast: 0, patient: 0 }
  const perEndpoint = new Map<string, number>()
  /** Endpoints that a claim gave all it might. */
  const heldBack: Record<Lane, Set<string>> = { fast: new Set(), patient: new Set() }
  let isCrowded = false

  function count(lane: Lane, endpointId: string, change: 1 | -1): void {
    counts[lane] += change
    const next = (perEndpoint.get(endpointId) ?? 0) + change
    if (next === 0) perEndpoint.delete(endpointId)
    else perEndpoint.set(endpointId, next)
  }

  return {
    roomIn(lane) {
      const all = MOST_AT_ONCE - counts.fast - counts.patient
      const room = lane === "fast" ? all : Math.min(all, MOST_PATIENT - counts.patient)
      if (room <= 0) isCrowded = true
      return Math.min(MOST_CLAIMED, room)
    },
    inFlight: () => [...perEndpoint].map(([endpointId, inFlight]) => ({ endpointId, count: inFlight })),
    take(lane, claimed, before) {
      const ofEndpoints = Map.groupBy(claimed, ({ endpointId }) => endpointId)
      const countBefore = new Map(before.map(({ endpointId, count: inFlight }) => [endpointId, inFlight]))
      for (const { endpointId } of claimed) count(lane, endpointId, 1)
      for (const id of new Set([...heldBack[lane], ...ofEndpoints.keys()])) {
        const taken = ofEndpoints.get(id) ?? []
        const most = taken[0]?.isFailing === true ? MOST_PER_FAILING_ENDPOINT : mostPerEndpoint[lane]
        if (taken.length + (countBefore.get(id) ?? 0) >= most) heldBack[lane].add(id)
        else heldBack[lane].delete(id)
      }
    },
    leave(lane, endpointId) {
      count(lane, endpointId, -1)
      const isMore = isCrowded || heldBack[lane].has(endpointId)
      isCrowded = false
      return isMore
    },
  }
}
