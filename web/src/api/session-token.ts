const storageKey = "token"
let current: string | null = null
const endListeners = new Set<() => void>()

/** Storage may be full or forbidden: the session then lives as long as the page. */
export function loadToken(): string | null {
  try {
    current = localStorage.getItem(storageKey)
  } catch {
    current = null
  }
  return current
}

export function currentToken(): string | null {
  return current
}

export function storeToken(token: string): void {
  current = token
  try {
    localStorage.setItem(storageKey, token)
  } catch {}
}

export function forgetToken(): void {
  current = null
  try {
    localStorage.removeItem(storageKey)
  } catch {}
}

/** A late 401 for an older token says nothing about the current session. */
export function reportRefusedToken(token: string): void {
  if (token !== current) return
  for (const listener of endListeners) listener()
}

export function onTokenRefused(listener: () => void): void {
  endListeners.add(listener)
}

export function onTokenChangedElsewhere(listener: () => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key === storageKey || event.key === null) listener()
  })
}
