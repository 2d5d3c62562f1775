/** Reasons to credit nobody: the money waits in the ledger's suspense account. */
const uncreditedReasons = ["unknown_txid", "wrong_amount", "charge_already_paid"] as const
export type UncreditedReason = (typeof uncreditedReasons)[number]

/** Reasons for an admin to check a payment. The last two were credited all the same. */
export const unmatchedPaymentReasons = [...uncreditedReasons, "late", "duplicate"] as const
export type UnmatchedPaymentReason = (typeof unmatchedPaymentReasons)[number]

/** 'returning': its refund is under way; it reopens if the bank refuses. */
export const unmatchedPaymentStatuses = ["open", "accepted", "returning", "returned"] as const
export type UnmatchedPaymentStatus = (typeof unmatchedPaymentStatuses)[number]

export const unmatchedPaymentFilters = {
  open: ["open"],
  resolved: ["accepted", "returning", "returned"],
  all: unmatchedPaymentStatuses,
} as const satisfies Record<string, readonly UnmatchedPaymentStatus[]>
export const unmatchedPaymentFilterWords = Object.keys(
  unmatchedPaymentFilters,
) as (keyof typeof unmatchedPaymentFilters)[]
