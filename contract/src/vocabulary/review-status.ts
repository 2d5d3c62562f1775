/** Why money waits in suspense: nobody could be credited for it. */
const suspenseReasons = ["unknown_txid", "wrong_amount", "charge_already_paid"] as const
export type SuspenseReason = (typeof suspenseReasons)[number]

/** Why a person should look at a payment. The last two were credited all the same. */
export const reviewReasons = [...suspenseReasons, "late", "duplicate"] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** 'returning': its refund is under way; it opens again if the bank says no. */
export const reviewStatuses = ["open", "accepted", "returning", "returned"] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

export const reviewFilters = {
  open: ["open"],
  resolved: ["accepted", "returning", "returned"],
  all: reviewStatuses,
} as const satisfies Record<string, readonly ReviewStatus[]>
export const reviewFilterWords = Object.keys(reviewFilters) as (keyof typeof reviewFilters)[]
