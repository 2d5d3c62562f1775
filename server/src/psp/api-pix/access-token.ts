interface AccessToken {
  value: string
  /** Milliseconds of a monotonic clock, so that a changed wall clock can't stretch the token's life. */
  validUntilMs: number
}

/** Concurrent callers share one token request; the token is renewed a minute before it expires. */
export function createTokenSource(fetchToken: () => Promise<{ value: string; expiresInSeconds: number }>) {
  let token: AccessToken | null = null
  let pending: Promise<string> | null = null

  async function renew(): Promise<string> {
    const fresh = await fetchToken()
    const lifeMs = Math.max(fresh.expiresInSeconds - 60, 1) * 1000
    token = { value: fresh.value, validUntilMs: performance.now() + lifeMs }
    return fresh.value
  }

  return {
    async get(): Promise<string> {
      if (token !== null && performance.now() < token.validUntilMs) return token.value
      pending ??= renew().finally(() => {
        pending = null
      })
      return pending
    },
    /** After a 401 only the refused token is discarded, not a newer one. */
    discard(refused: string): void {
      if (token?.value === refused) token = null
    },
  }
}
