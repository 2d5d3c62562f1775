export interface AccessToken {
  value: string
  /** Milliseconds of a monotonic clock, so that a changed wall clock can't stretch the token's life. */
  validUntilMs: number
}

/** One request for a token at a time, whoever asks; renewed a minute before it ends. */
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
    /** After a 401: only the token that was refused is thrown away, not a newer one. */
    discard(refused: string): void {
      if (token?.value === refused) token = null
    },
  }
}
