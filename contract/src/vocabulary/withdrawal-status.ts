import { statusesWith } from "./status-facts.ts"

/** One canonical status per withdrawal, as the database keeps it and the admin reads it. */
export const withdrawalStatuses = ["pending", "approved", "processing", "completed", "rejected", "cancelled"] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

/** A new status doesn't compile until it is decided where the money is. */
const withdrawalFacts = {
  pending: { isDecidable: true, isHeld: true, isSent: false, isReturned: false },
  approved: { isDecidable: false, isHeld: true, isSent: false, isReturned: false },
  processing: { isDecidable: false, isHeld: true, isSent: true, isReturned: false },
  completed: { isDecidable: false, isHeld: false, isSent: true, isReturned: false },
  rejected: { isDecidable: false, isHeld: false, isSent: false, isReturned: true },
  cancelled: { isDecidable: false, isHeld: false, isSent: false, isReturned: true },
} as const satisfies Record<WithdrawalStatus, Record<"isDecidable" | "isHeld" | "isSent" | "isReturned", boolean>>

/** The money left the available balance, and has not reached the seller's bank. */
export const heldWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isHeld")
/** Handed to the bank. */
export const sentWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isSent")
/** The money is back in the available balance. */
export const returnedWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isReturned")

/** An admin may approve or reject it, its seller may cancel it. */
export function isDecidable(status: WithdrawalStatus): boolean {
  return withdrawalFacts[status].isDecidable
}

export const withdrawalStatusLabels = {
  pending: "Pendente",
  approved: "Aprovado",
  processing: "Processando",
  completed: "Concluído",
  rejected: "Rejeitado",
  cancelled: "Cancelado",
} as const satisfies Record<WithdrawalStatus, string>

/** Sellers read approved until the money has left: sending it is the platform's own step. */
export const sellerWithdrawalStatusOf = {
  pending: "pending",
  approved: "approved",
  processing: "approved",
  completed: "completed",
  rejected: "rejected",
  cancelled: "cancelled",
} as const satisfies Record<WithdrawalStatus, string>
export type SellerWithdrawalStatus = (typeof sellerWithdrawalStatusOf)[WithdrawalStatus]

/** Words that a seller may filter by. */
export const sellerWithdrawalFilters = {
  pending: ["pending"],
  approved: ["approved", "processing"],
  completed: ["completed"],
  rejected: ["rejected"],
  cancelled: ["cancelled"],
} as const satisfies Record<SellerWithdrawalStatus, readonly WithdrawalStatus[]>
export const sellerWithdrawalFilterWords = Object.keys(sellerWithdrawalFilters) as SellerWithdrawalStatus[]

/** The reason for which an approved withdrawal is not sent to the bank; `held` stands for those that end by themselves. */
export const withdrawalWaits = ["withdrawals_disabled", "seller_inactive", "account_frozen", "held"] as const
export type WithdrawalWait = (typeof withdrawalWaits)[number]

export const withdrawalMethods = ["pix", "bank_transfer"] as const
export type WithdrawalMethod = (typeof withdrawalMethods)[number]
