import type { UserView } from "@tilinta/contract/users"
import { bookReaders, counterStaff, managers, ownerAlone, type ShopRole } from "@tilinta/contract/vocabulary/team"
import { actingShopOf, mayAs } from "#api/acting-shop.ts"

/** The roles that may open a seller's screen, by the beginning of its path; everybody opens their own profile and notices. */
const places: readonly (readonly [string, readonly ShopRole[]])[] = [
  ["/dashboard", managers],
  ["/counter", counterStaff],
  ["/checkouts", managers],
  ["/receivables/", managers],
  ["/receivables", bookReaders],
  ["/subscriptions", managers],
  ["/customers", bookReaders],
  ["/transactions", bookReaders],
  ["/withdrawals", bookReaders],
  ["/statement", bookReaders],
  ["/shop", managers],
  ["/team", ownerAlone],
  ["/developers", ownerAlone],
]

export function mayOpen(path: string, role: ShopRole): boolean {
  const place = places.find(([start]) => path.startsWith(start))
  return place === undefined || mayAs(role, place[1])
}

const homes = {
  owner: "/dashboard",
  manager: "/dashboard",
  accountant: "/statement",
  cashier: "/counter",
} as const satisfies Record<ShopRole, string>

export function homePathOf(user: UserView | null): "/admin" | (typeof homes)[ShopRole] {
  if (user === null) return "/dashboard"
  return user.role === "admin" ? "/admin" : homes[actingShopOf(user).role]
}
