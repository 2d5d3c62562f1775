import type { Endpoint } from "@tilinta/contract/define-endpoint"
import { ownerAlone, type ShopRole } from "@tilinta/contract/vocabulary/team"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { hasPlaceInTeam } from "#people/users/reads"
import { findPlace } from "./reads.ts"

interface Person {
  id: string
  role: "user" | "admin"
  hasShop: boolean
  /** The administrator who only looks at the account; they look at no other. */
  viewerId: string | null
}

interface Wanted {
  /** The one that the request names; null where it names none. */
  shopId: string | null
  /** Those that may make the call. */
  roles: Endpoint["roles"]
}

interface Place {
  shopId: string
  role: ShopRole
  isFrozen: boolean
}

/** The shop for which the person acts, and as what; null where they may not. */
export async function findActing(db: Db, person: Person, { shopId, roles }: Wanted): Promise<Place | null> {
  const own = { shopId: person.id, role: "owner", isFrozen: false } as const
  if (roles === "person" || shopId === person.id) return own
  if (person.role === "admin" || person.viewerId !== null) return shopId === null ? own : null
  if (shopId === null && person.hasShop) return own
  if (shopId !== null && !isId(shopId)) return null
  const place = await findPlace(db, { personId: person.id, shopId })
  // Sales of a shop that was closed are never charged for its cashier.
  if (place === null) return shopId === null && !(await hasPlaceInTeam(db, person.id)) ? own : null
  const allowed: readonly ShopRole[] = roles ?? ownerAlone
  return allowed.includes(place.role) ? place : null
}
