interface Submission {
  key: string
  firstSentAt: Date
}

/**
 * The same form content keeps its idempotency key, so that a repeated submit is recognised; changed content gets
 * another.
 */
export function createSubmissions(newKey: () => string = randomKey): (content: unknown) => Submission {
  let last: (Submission & { content: string }) | null = null
  return (content) => {
    const written = JSON.stringify(content)
    if (last?.content !== written) last = { content: written, key: newKey(), firstSentAt: new Date() }
    return last
  }
}

/** `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
