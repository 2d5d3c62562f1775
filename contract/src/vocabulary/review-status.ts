/** Reasons for which money waits in suspense, credited to no seller. */
const suspenseReasons = ["unknown_txid", "wrong_amount", "charge_already_paid"] as const
export type SuspenseReason = (typeof suspenseReasons)[number]

/** Reasons for an admin to review a payment. The last two were credited all the same. */
export const reviewReasons = [...suspenseReasons, "late", "duplicate"] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** 'returning': its refund is under way; it reopens if the bank refuses. */
export const reviewStatuses = ["open", "accepted", "returning", "returned"] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

export const reviewFilters = {
  open: ["open"],
  resolved: ["accepted", "returning", "returned"],
  all: reviewStatuses,
} as const satisfies Record<string, readonly ReviewStatus[]>
export const reviewFilterWords = Object.keys(reviewFilters) as (keyof typeof reviewFilters)[]
