import * as heads from "@tilinta/contract/heads"
import type { getMeEndpoint, UserView } from "@tilinta/contract/users"
import { useSyncExternalStore } from "react"
import { toast } from "#ui/toast.ts"
import { offlineError } from "./api-error.ts"
import { call, readReply } from "./client.ts"
import { createSessionStore, forgetToken, loadToken, type Session, storeToken, viewedUntil } from "./session-token.ts"

declare global {
  interface Window {
    /** The first call, sent by the inline script of index.html before this bundle arrived. */
    earlyUser?: { token: string; response: Promise<Response> }
  }
}

async function fetchUser(token: string): Promise<UserView> {
  const early = window.earlyUser
  delete window.earlyUser
  if (early?.token !== token) return (await call(heads.getMe)).data.user
  const response = await early.response.catch(() => Promise.reject(offlineError()))
  return (await readReply<typeof getMeEndpoint>(response)).data.user
}

export const session = createSessionStore({
  loadToken,
  storeToken,
  forgetToken,
  fetchUser,
  pause: () => new Promise((resolve) => setTimeout(resolve, 1500)),
})

export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.current)
}

export function useUser(): UserView | null {
  const current = useSession()
  return current.status === "open" ? current.user : null
}

/** Asks the server for the user again, after something that it alone knows has changed. */
export async function renewUser(): Promise<void> {
  session.renew((await call(heads.getMe)).data.user)
}

/** Logging out works offline too. The server is called first, while the token is still available. */
export function logOut(): void {
  if (viewedUntil() !== null) return session.close()
  call(heads.logout).catch(() => undefined)
  session.close()
  toast.info("Você saiu da sua conta")
}
