import type { OwnShopView, UserView } from "@tilinta/contract/users"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"

const storageKey = "shop"
const invitationKey = "invitation"

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {}
}

/** Headers of every call: each tab acts for the shop that was chosen in it. */
export function shopHeaders(): Record<string, string> {
  const shop = stored(storageKey)
  return shop === null ? {} : { "X-Shop": shop }
}

/** The one that was chosen in this tab, else the first. */
export function shopOf({ _id, name, shops = [] }: UserView): OwnShopView {
  return shops.find((shop) => shop._id === stored(storageKey)) ?? shops[0] ?? { _id, name, role: "owner" }
}

/** The shop for which this tab acts. Each later call names it, so that none is made for another when it ends. */
export function actingShopOf(user: UserView): OwnShopView {
  const shop = shopOf(user)
  if (shop._id !== stored(storageKey)) store(storageKey, shop._id)
  return shop
}

/** Begins anew, so that nothing of the other shop stays on the screen or in a stream. */
export function actFor(shopId: string): void {
  store(storageKey, shopId)
  location.assign("/dashboard")
}

/** The address of a notice names the shop that it is about; a shop in which one has no place is forgotten as any other. */
export function actForNamed(search: string): void {
  const named = new URLSearchParams(search).get("shop")
  if (named !== null) store(storageKey, named)
}

export function forgetShop(): void {
  store(storageKey, null)
}

export function mayAs(role: ShopRole, roles: readonly ShopRole[]): boolean {
  return roles.includes(role)
}

/** The token of an invitation that the person came by and has not answered: signing in or up leads back to it. */
export function pendingInvitation(): string | null {
  return stored(invitationKey)
}

export function keepInvitation(token: string | null): void {
  store(invitationKey, token)
}
