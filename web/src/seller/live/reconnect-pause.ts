const firstMs = 1000
const longestMs = 60_000

/** Exponential back-off with jitter. `chance` is between 0 and 1. */
export function pauseBefore(attempt: number, retryAfter: string | null, chance: number): number {
  const asked = Number(retryAfter ?? 0) * 1000
  const grown = Math.min(firstMs * 2 ** (attempt - 1), longestMs)
  return Math.max(Number.isFinite(asked) ? asked : 0, grown) * (0.75 + chance / 2)
}

/** A network that comes back ends the pause early. */
export function pauseOrOnline(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    window.addEventListener("online", done)
    stopped.addEventListener("abort", done)

    function done(): void {
      clearTimeout(timer)
      window.removeEventListener("online", done)
      stopped.removeEventListener("abort", done)
      resolve()
    }
  })
}
