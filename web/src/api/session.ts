import * as heads from "@tilinta/contract/heads"
import type { getMeEndpoint, OwnShopView, UserView } from "@tilinta/contract/users"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { useSyncExternalStore } from "react"
import { toast } from "#ui/toast.ts"
import { actingShopOf, forgetShop, mayAs, shopOf } from "./acting-shop.ts"
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

/** The shop for which this tab acts, with the person's role there; null without a session. */
export function useActingShop(): OwnShopView | null {
  const user = useUser()
  return user === null ? null : actingShopOf(user)
}

/** Whether one's role in the shop is among these: no button leads to what the server would refuse. */
export function useMay(roles: readonly ShopRole[]): boolean {
  const shop = useActingShop()
  return shop !== null && mayAs(shop.role, roles)
}

let isAskingForRole = false

/** Somebody removed the person, or changed their role: the tab begins anew with what they have now. */
export async function renewRole(): Promise<void> {
  const current = session.current()
  if (isAskingForRole || current.status !== "open") return
  isAskingForRole = true
  const before = shopOf(current.user)
  try {
    const user = (await call(heads.getMe)).data.user
    const after = shopOf(user)
    if (after._id === before._id && after.role === before.role) return
    toast.info(after._id === before._id ? "O seu papel nesta loja mudou" : `Você não está mais em ${before.name}`)
    location.assign("/dashboard")
  } catch {
    // The next refusal asks again.
  } finally {
    isAskingForRole = false
  }
}

/** Logging out works offline too. The server is called first, while the token is still available. */
export function logOut(): void {
  if (viewedUntil() !== null) return session.close()
  call(heads.logout).catch(() => undefined)
  forgetShop()
  session.close()
  toast.info("Você saiu da sua conta")
}
