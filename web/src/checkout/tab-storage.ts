/** Session storage that never throws: where the browser forbids it, a reload forgets. */
export const tabStorage = {
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string): void {
    try {
      sessionStorage.setItem(key, value)
    } catch {
      // The payment goes on without storage.
    }
  },
}

const storageKey = (pageId: string): string => `attempt.${pageId}`

/** One idempotency key per attempt, kept until the answer: a double click, a retry or a reload asks for the same Pix. */
export function attemptKey(pageId: string): string {
  const key = tabStorage.read(storageKey(pageId)) || randomKey()
  tabStorage.write(storageKey(pageId), key)
  return key
}

export function forgetAttempt(pageId: string): void {
  tabStorage.write(storageKey(pageId), "")
}

/** `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(5)).join("-")
}
