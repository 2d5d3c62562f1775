/** A request to an endpoint that was well or unknown when it began. */
export interface OpenRequest {
  /** Null until it is sent and once it is answered: what we ourselves take is nobody's lateness. */
  beganAtMs: number | null
  /** Ends it, as its timeout would. */
  giveUp(): void
}

interface LateRequests<Request extends OpenRequest> {
  /** Takes over those of these that have waited longer than usual. */
  takeFrom(requests: Set<Request>): void
  delete(request: Request): void
  noteAnswer(request: Request): void
  lateAfterMs(): number
}

/** Late requests hold sockets, no places. */
const MOST = 512
/** An answer is late after so many usual answers' time: a request to a dead endpoint takes no more room than so many. */
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
export function createLateRequests<Request extends OpenRequest>(nowMs: () => number): LateRequests<Request> {
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
    noteAnswer(request) {
      usualMs += (Math.min(ageOf(request), MOST_USUAL_MS) - usualMs) * WEIGHT
    },
    lateAfterMs,
  }
}
