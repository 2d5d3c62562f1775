import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { isWorthRetrying } from "./api-error.ts"

export type Session = { status: "loading" } | { status: "closed" } | { status: "open"; user: UserView }

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

/** The token and its user; `loading` until the server has confirmed the user. */
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
    become({ status: "loading" })
    const user = await fetchUserTwice(parts, token)
    if (startedToken !== token) return
    if (user === null) close()
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

async function fetchUserTwice(parts: SessionParts, token: string): Promise<UserView | null> {
  try {
    return await parts.fetchUser(token)
  } catch (error) {
    if (!isWorthRetrying(error)) return null
  }
  await parts.pause()
  return parts.fetchUser(token).catch(() => null)
}
