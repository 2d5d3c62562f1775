import type { Clock } from "#kit/clock"
import type { Psp } from "#psp/psp"

/** Moves the bank's clock with ours: without it a test's future moment would look like a clock that is ahead. */
export function withSharedClock<T extends { psp: Psp }>(deps: T, clock: Clock): T & { clock: Clock } {
  return { ...deps, clock, psp: { ...deps.psp, bankTime: () => clock.now() } }
}
