/** One canonical status per withdrawal, as the database keeps it and the admin reads it. */
export const withdrawalStatuses = ["pending", "approved", "processing", "completed", "rejected", "cancelled"] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

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

export const withdrawalMethods = ["pix", "bank_transfer"] as const
export type WithdrawalMethod = (typeof withdrawalMethods)[number]
