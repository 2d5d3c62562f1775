export const customerStatuses = ["active", "archived"] as const
export type CustomerStatus = (typeof customerStatuses)[number]

export const CUSTOMER_NAME_MAX = 140
export const CUSTOMER_NOTES_MAX = 1000
