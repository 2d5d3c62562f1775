import type { InFlight, Lane, LaneCapacity } from "./rules.ts"

/** Claims of one side never wait for the other's, and never share a lane with them. */
export const sides = ["well", "troubled"] as const
export type Side = (typeof sides)[number]

interface Bounds {
  lane: Lane
  side: Side
  /** Requests at once, without late ones. */
  places: number
  perEndpoint: number
}

/** A new or failing endpoint gets one request at a time, however many deliveries are due. */
const bounds: readonly Bounds[] = [
  { lane: "fast", side: "well", places: 256, perEndpoint: 10 },
  { lane: "new", side: "well", places: 64, perEndpoint: 1 },
  { lane: "slow", side: "troubled", places: 64, perEndpoint: 4 },
  { lane: "failing", side: "troubled", places: 64, perEndpoint: 1 },
  { lane: "hanging", side: "troubled", places: 64, perEndpoint: 1 },
]
/** Known slow and failing endpoints keep their places for as long as they take. */
const lanesWithLate = ["fast", "new"] as const
/** Upper bound of one claim in each lane. */
const MOST_CLAIMED = 100

export function sideOf(lane: Lane): Side {
  return bounds.find((each) => each.lane === lane)?.side ?? "troubled"
}

interface Queued {
  endpointId: string
  lane: Lane
}

export interface Place {
  /** Aborted when the place is needed and its request has waited for long. */
  signal: AbortSignal
  /** The request is sent. */
  begin(): void
  /** It is answered, or was given up. */
  end(answer: { isGood: boolean }): void
  /** Gives the place back, once the outcome is recorded; returns whose deliveries may now be claimed. */
  leave(): "anybody" | "endpoint" | "nobody"
}

export interface Known {
  capacities: readonly LaneCapacity[]
  inFlight: readonly InFlight[]
  /** The endpoints that were asked about; null for all. */
  endpointIds: readonly string[] | null
}

interface Lanes {
  /** The side's lanes with free places. */
  capacities(side: Side): LaneCapacity[]
  inFlight(): InFlight[]
  /** Takes a place for each claimed delivery. `known` is what the claim was made with. */
  take(claimed: readonly Queued[], known: Known): Place[]
  /** How long to wait before the capacities are read again without an answer; null while no lane is full. */
  patienceMs(): number | null
}

/**
 * Counts what this process is sending. However many endpoints die at once, a living one finds a place: those known to fail
 * share places of their own, and a request that isn't answered in the usual time gives its place back while it waits.
 */
export function createLanes(nowMs: () => number = () => performance.now()): Lanes {
  const fresh = forEachLane(() => new Set<OpenRequest>())
  const late = createLateRequests(nowMs)
  const endpoints = countEndpoints()
  const crowded = new Set<Lane>()

  function placeOf({ endpointId, lane }: Queued): Place {
    const giveUp = new AbortController()
    const request: OpenRequest = { beganAtMs: null, giveUp: () => giveUp.abort() }
    let isAnswering = true
    fresh[lane].add(request)
    endpoints.count(endpointId, 1)
    return {
      signal: giveUp.signal,
      begin() {
        request.beganAtMs = nowMs()
      },
      end({ isGood }) {
        if (isGood) late.recordAnswer(request)
        isAnswering = isGood
        request.beganAtMs = null
      },
      leave() {
        const hasCapacity = fresh[lane].delete(request) && crowded.has(lane)
        late.delete(request)
        endpoints.count(endpointId, -1)
        if (hasCapacity) return "anybody"
        // After a failure its endpoint rests.
        return isAnswering && endpoints.isDeferred(lane, endpointId) ? "endpoint" : "nobody"
      },
    }
  }

  return {
    capacities(side) {
      if (side === "well") for (const lane of lanesWithLate) late.takeFrom(fresh[lane])
      const all = bounds
        .filter((each) => each.side === side)
        .map(({ lane, places, perEndpoint }) => {
          return { lane, capacity: Math.min(MOST_CLAIMED, places - fresh[lane].size), perEndpoint }
        })
      for (const { lane, capacity } of all) {
        if (capacity <= 0) crowded.add(lane)
        else crowded.delete(lane)
      }
      return all.filter(({ capacity }) => capacity > 0)
    },
    inFlight: endpoints.inFlight,
    take(claimed, { capacities, inFlight, endpointIds }) {
      for (const { lane } of capacities) {
        const ids = claimed.filter((each) => each.lane === lane).map(({ endpointId }) => endpointId)
        endpoints.defer(lane, ids, { inFlight, endpointIds })
      }
      return claimed.map(placeOf)
    },
    patienceMs: () => (lanesWithLate.some((lane) => crowded.has(lane)) ? late.lateAfterMs() : null),
  }
}

function countEndpoints() {
  const counts = new Map<string, number>()
  /** Endpoints that a claim gave all it might. */
  const deferred = forEachLane(() => new Set<string>())
  return {
    count(id: string, change: 1 | -1): void {
      const next = (counts.get(id) ?? 0) + change
      if (next === 0) counts.delete(id)
      else counts.set(id, next)
    },
    inFlight: (): InFlight[] => [...counts].map(([endpointId, count]) => ({ endpointId, count })),
    defer(lane: Lane, claimedIds: readonly string[], { inFlight, endpointIds }: Omit<Known, "capacities">): void {
      const taken = Map.groupBy(claimedIds, (id) => id)
      const before = new Map(inFlight.map(({ endpointId, count }) => [endpointId, count]))
      const most = bounds.find((each) => each.lane === lane)?.perEndpoint ?? 1
      for (const id of new Set([...(endpointIds ?? deferred[lane]), ...taken.keys()])) {
        if ((taken.get(id)?.length ?? 0) + (before.get(id) ?? 0) >= most) deferred[lane].add(id)
        else deferred[lane].delete(id)
      }
    },
    isDeferred: (lane: Lane, id: string): boolean => deferred[lane].has(id),
  }
}

function forEachLane<Value>(make: () => Value): Record<Lane, Value> {
  return { fast: make(), new: make(), slow: make(), failing: make(), hanging: make() }
}

/** A request to an endpoint that was well or unknown when it began. */
interface OpenRequest {
  /** Null until it is sent and once it is answered: the time that we ourselves take does not count as late. */
  beganAtMs: number | null
  /** Ends it, as its timeout would. */
  giveUp(): void
}

interface LateRequests<Request extends OpenRequest> {
  /** Moves the requests that have waited longer than usual here. */
  takeFrom(requests: Set<Request>): void
  delete(request: Request): void
  recordAnswer(request: Request): void
  lateAfterMs(): number
}

/** Late requests keep their sockets and give back their places. */
const MOST = 512
/** An answer is late after so many usual answers' time: a request to a dead endpoint takes no more capacity than so many. */
const FACTOR = 3
const LEAST_MS = 100
const FIRST_USUAL_MS = 100
const MOST_USUAL_MS = 1_000
/** The weight of one answer in the usual time. */
const WEIGHT = 1 / 32
/** Beyond their number the oldest are given up, and none before this. */
const GIVE_UP_MS = 1_000

/**
 * Requests without an answer in the usual time, which follows the answers that come: where all are slow, as under load, none
 * is late. A given-up one counts as failed, and its next try, in the lane of those that fail, has all of its time again.
 */
function createLateRequests<Request extends OpenRequest>(nowMs: () => number): LateRequests<Request> {
  const late = new Set<Request>()
  let usualMs = FIRST_USUAL_MS
  const lateAfterMs = () => Math.max(LEAST_MS, FACTOR * usualMs)
  const ageOf = ({ beganAtMs }: Request) => (beganAtMs === null ? 0 : nowMs() - beganAtMs)

  function giveUpOldest(): boolean {
    const [oldest] = late
    if (oldest === undefined || ageOf(oldest) < Math.max(GIVE_UP_MS, 2 * lateAfterMs())) return false
    late.delete(oldest)
    oldest.giveUp()
    return true
  }

  return {
    takeFrom(requests) {
      for (const request of requests) {
        if (ageOf(request) < lateAfterMs()) continue
        if (late.size >= MOST && !giveUpOldest()) return
        requests.delete(request)
        late.add(request)
      }
    },
    delete: (request) => void late.delete(request),
    recordAnswer(request) {
      usualMs += (Math.min(ageOf(request), MOST_USUAL_MS) - usualMs) * WEIGHT
    },
    lateAfterMs,
  }
}
