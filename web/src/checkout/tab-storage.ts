import type { ShownPix } from "./checkout-state.ts"

/** Session storage that never throws: where the browser forbids it, a reload forgets. */
const tabStorage = {
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

const keyOf = (pageId: string): string => `pix.${pageId}`

/** A reload, or a visit to the bank's app, must find the same QR code again. Null removes it. */
export function storePix(pageId: string, pix: ShownPix | null): void {
  tabStorage.write(keyOf(pageId), JSON.stringify(pix))
}

export function loadPix(pageId: string): ShownPix | null {
  return JSON.parse(tabStorage.read(keyOf(pageId)) || "null")
}
