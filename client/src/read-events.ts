import type { Calls, Schemas } from "./api-client.ts"
import { type pauseFor, TilintaError } from "./send-request.ts"

/** A fact of the account: `type` says what happened, `data` to what. */
export type TilintaEvent = Schemas["Event"]

interface ReadEventsInput {
  /** The `sequence` of the last event that was dealt with; 0, the default, begins with the oldest that is kept. */
  after?: number
  /** Only these; all by default. */
  types?: readonly TilintaEvent["type"][]
  /** Ends the reading. */
  signal?: AbortSignal
}

/**
 * The account's events, one after the other, each at least once: keep the `sequence` of the last one that was dealt
 * with, and begin with it again after a restart. Waits for the next one, also while the server is away.
 */
export type EventReader = (input?: ReadEventsInput) => AsyncGenerator<TilintaEvent, void, void>

const WAIT_SECONDS = 20
const LONGEST_PAUSE_MS = 30_000

export function eventReader({ listEvents }: Pick<Calls, "listEvents">, pause: typeof pauseFor): EventReader {
  return async function* events({ after = 0, types, signal } = {}) {
    let position = after
    let failures = 0
    while (!signal?.aborted) {
      const query = { after: position, wait: WAIT_SECONDS, ...(types && { types: types.join(",") }) }
      try {
        const page = await listEvents({ query, ...(signal && { signal }) })
        yield* page.events
        position = page.next
        failures = 0
      } catch (error) {
        if (signal?.aborted) return
        if (!mayPass(error)) throw error
        failures += 1
        await pause(Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS), signal).catch(() => undefined)
      }
    }
  }
}

/** A server that is away or busy comes back; a key that was revoked doesn't. */
function mayPass(error: unknown): boolean {
  return error instanceof TilintaError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
