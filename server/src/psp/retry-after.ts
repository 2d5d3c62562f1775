import type { Answer } from "./bounded-http.ts"
import { PspError } from "./psp.ts"

const SHORTEST_MS = 1_000
const LONGEST_MS = 60_000

/** Respects a 429's Retry-After, per kind of call, so that creating codes doesn't wait for lists. */
export function createThrottle() {
  const pausedUntilMs = new Map<string, number>()
  return async (kind: string, call: () => Promise<Answer>): Promise<Answer> => {
    const untilMs = pausedUntilMs.get(kind) ?? 0
    if (performance.now() < untilMs)
      throw new PspError("unavailable", "the provider asked to be left alone for a while")
    const answer = await call()
    if (answer.status === 429) pausedUntilMs.set(kind, performance.now() + pauseMs(answer))
    return answer
  }
}

/** Seconds, or a date by the bank's own clock. */
function pauseMs({ retryAfter, date }: Answer): number {
  const seconds = Number(retryAfter ?? "")
  const until = new Date(retryAfter ?? "").getTime()
  const now = (date ?? new Date()).getTime()
  const asked = Number.isFinite(seconds) ? seconds * 1000 : until - now
  return Math.min(Math.max(Number.isNaN(asked) ? 0 : asked, SHORTEST_MS), LONGEST_MS)
}
