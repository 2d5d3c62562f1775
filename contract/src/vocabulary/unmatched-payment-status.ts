/** Reasons to credit nobody: the money waits in the ledger's suspense account. */
export const uncreditedReasons = ["unknown_txid", "wrong_amount", "charge_already_paid"] as const
export type UncreditedReason = (typeof uncreditedReasons)[number]

/** Reasons for an admin to check a payment. The last two were credited all the same. */
export const unmatchedPaymentReasons = [...uncreditedReasons, "late", "duplicate"] as const
export type UnmatchedPaymentReason = (typeof unmatchedPaymentReasons)[number]

/** 'returning': its refund is under way; it reopens if the bank refuses. */
export const unmatchedPaymentStatuses = ["open", "accepted", "returning", "returned"] as const
export type UnmatchedPaymentStatus = (typeof unmatchedPaymentStatuses)[number]

/** A new status doesn't compile until these are decided. */
const unmatchedPaymentFacts = {
  open: { isDecidable: true, isUnsettled: true },
  accepted: { isDecidable: false, isUnsettled: false },
  returning: { isDecidable: false, isUnsettled: true },
  returned: { isDecidable: false, isUnsettled: false },
} as const satisfies Record<UnmatchedPaymentStatus, Record<"isDecidable" | "isUnsettled", boolean>>

/** An admin may accept or return it. */
export function isOpenUnmatchedPayment(status: UnmatchedPaymentStatus): boolean {
  return unmatchedPaymentFacts[status].isDecidable
}

/** Whether its money stays here is not settled yet. */
export function isUnsettled(status: UnmatchedPaymentStatus): boolean {
  return unmatchedPaymentFacts[status].isUnsettled
}

export const unmatchedPaymentFilters = {
  open: unmatchedPaymentStatuses.filter(isOpenUnmatchedPayment),
  resolved: unmatchedPaymentStatuses.filter((status) => !isOpenUnmatchedPayment(status)),
  all: unmatchedPaymentStatuses,
} satisfies Record<string, readonly UnmatchedPaymentStatus[]>
export const unmatchedPaymentFilterWords = Object.keys(
  unmatchedPaymentFilters,
) as (keyof typeof unmatchedPaymentFilters)[]
