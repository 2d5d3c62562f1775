/** Roles of people in a shop, the one that may most first. */
export const shopRoles = ["owner", "manager", "accountant", "cashier"] as const
export type ShopRole = (typeof shopRoles)[number]

/** Whether the first role may more than the other. */
export function isAbove(role: ShopRole, other: ShopRole): boolean {
  return shopRoles.indexOf(role) < shopRoles.indexOf(other)
}

/** Endpoints name one of these as those who may make the call. */
export const ownerAlone = ["owner"] as const
export const managers = ["owner", "manager"] as const
export const bookReaders = ["owner", "manager", "accountant"] as const

export const counterStaff = ["owner", "manager", "cashier"] as const

export const INVITATION_DAYS = 7
export const MOST_MEMBERS = 50
