import type { UserView } from "@tilinta/contract/users"
import { isWorthRetrying } from "./api-error.ts"

export const storageKey = "token"
/** The inline script of index.html moves both here from the address: of this tab alone, next to the token of whoever opened it. */
const view = { token: "view", until: "viewUntil" }
let current: string | null = null
const endListeners = new Set<() => void>()

/** Storage may be full or forbidden: the session then lives as long as the page. */
export function loadToken(): string | null {
  try {
    current = sessionStorage.getItem(view.token) ?? localStorage.getItem(storageKey)
  } catch {
    current = null
  }
  return current
}

/** Until when this tab only looks at somebody's account; null where its user signed in. */
export function viewedUntil(): Date | null {
  try {
    const until = sessionStorage.getItem(view.until)
    return until === null ? null : new Date(until)
  } catch {
    return null
  }
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

/** A tab that only looked goes back to the session of whoever opened it, which it never touched. */
export function forgetToken(): void {
  current = null
  if (viewedUntil() !== null) {
    for (const key of Object.values(view)) sessionStorage.removeItem(key)
    location.replace("/admin/users")
    return
  }
  try {
    localStorage.removeItem(storageKey)
  } catch {}
}

/** A late 401 for an older token says nothing about the current session. */
export function reportRefusedToken(token: string): void {
  if (token !== current) return
  for (const listener of endListeners) listener()
}

const roleListeners = new Set<() => void>()

/** A call that one's role doesn't allow: the screen shows it only where the role has just changed. */
export function reportLostRole(): void {
  for (const listener of roleListeners) listener()
}

export function onRoleLost(listener: () => void): void {
  roleListeners.add(listener)
}

export function onTokenRefused(listener: () => void): void {
  endListeners.add(listener)
}

export function onTokenChangedElsewhere(listener: () => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key === storageKey || event.key === null) listener()
  })
}

export type Session =
  | { status: "loading" }
  | { status: "closed" }
  /** There is a token, and no server to ask whose it is. */
  | { status: "offline" }
  | { status: "open"; user: UserView }

export interface SessionParts {
  loadToken: () => string | null
  storeToken: (token: string) => void
  forgetToken: () => void
  fetchUser: (token: string) => Promise<UserView>
  /** Waits before the second attempt: a reload aborts calls, and must not sign anybody out. */
  pause: () => Promise<void>
}

interface SessionStore {
  current: () => Session
  subscribe: (listener: () => void) => () => void
  start: () => Promise<void>
  open: (token: string, user: UserView) => void
  /** Replaces the user of the open session after a change. */
  renew: (user: UserView) => void
  close: () => void
}

/** The token and its user; `loading` until the server has confirmed the user, or has not answered. */
export function createSessionStore(parts: SessionParts): SessionStore {
  let session: Session = { status: "loading" }
  let startedToken: string | null = null
  const listeners = new Set<() => void>()

  function become(next: Session): void {
    session = next
    for (const listener of listeners) listener()
  }

  async function start(): Promise<void> {
    const token = parts.loadToken()
    startedToken = token
    if (token === null) {
      become({ status: "closed" })
      return
    }
    if (session.status !== "offline") become({ status: "loading" })
    const user = await fetchUserTwice(parts, token)
    if (startedToken !== token) return
    if (user === "offline") become({ status: user })
    else if (user === null) close()
    else become({ status: "open", user })
  }

  function close(): void {
    startedToken = null
    parts.forgetToken()
    become({ status: "closed" })
  }

  return {
    current: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start,
    open: (token, user) => {
      startedToken = token
      parts.storeToken(token)
      become({ status: "open", user })
    },
    renew: (user) => {
      if (session.status === "open" && session.user._id === user._id) become({ status: "open", user })
    },
    close,
  }
}

/** A reload may break off an answer in the middle too: only a refusal says something about the token. */
async function fetchUserTwice(parts: SessionParts, token: string): Promise<UserView | "offline" | null> {
  try {
    return await parts.fetchUser(token)
  } catch (error) {
    if (!isWorthRetrying(error)) return null
  }
  await parts.pause()
  return parts.fetchUser(token).catch((error) => (isWorthRetrying(error) ? "offline" : null))
}
