/** The provider's clock, as its answers tell it. */
interface BankTime {
  /** Notes the Date header of an answer that has just arrived. */
  hear(date: Date | null): void
  /** The provider's time at a moment of the monotonic clock; null before the first Date header. */
  at(monotonicMs: number): Date | null
}

/**
 * Extrapolates by the monotonic clock, so that a wrong wall clock of ours can't distort it. A Date header is rounded
 * down and read after its journey: the result is at most a few seconds behind, never ahead.
 */
export function createBankTime(): BankTime {
  let aheadOfMonotonicMs: number | null = null

  return {
    hear(date) {
      const ms = date?.getTime() ?? Number.NaN
      if (!Number.isNaN(ms)) aheadOfMonotonicMs = ms - performance.now()
    },
    at: (monotonicMs) => (aheadOfMonotonicMs === null ? null : new Date(aheadOfMonotonicMs + monotonicMs)),
  }
}
