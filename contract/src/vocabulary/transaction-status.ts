/** One canonical status per charge, as the database keeps it. Money states never go back. */
export const transactionStatuses = ["pending", "paid", "expired", "cancelled", "failed", "refunded"] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const sellerStatusOf = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  cancelled: "cancelado",
  failed: "recusado",
  refunded: "estornado",
} as const satisfies Record<TransactionStatus, string>
export type SellerStatus = (typeof sellerStatusOf)[TransactionStatus]

export const payerStatusOf = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  cancelled: "cancelado",
  failed: "cancelado",
  refunded: "pago",
} as const satisfies Record<TransactionStatus, string>
export type PayerStatus = (typeof payerStatusOf)[TransactionStatus]

export const adminStatusOf = {
  pending: "pending",
  paid: "approved",
  expired: "cancelled",
  cancelled: "cancelled",
  failed: "failed",
  refunded: "refunded",
} as const satisfies Record<TransactionStatus, string>

export type AdminStatus = (typeof adminStatusOf)[TransactionStatus]

export const adminStatusLabels = {
  pending: "Pendente",
  approved: "Aprovada",
  failed: "Falhou",
  cancelled: "Cancelada",
  refunded: "Estornada",
} as const satisfies Record<AdminStatus, string>

const failedGroup = ["failed", "expired", "cancelled"] as const

/** Words that an admin may filter by: each word finds its whole group. */
export const adminStatusFilters = {
  approved: ["paid"],
  success: ["paid"],
  paid: ["paid"],
  pending: ["pending"],
  processing: ["pending"],
  failed: failedGroup,
  error: failedGroup,
  cancelled: failedGroup,
  refunded: ["refunded"],
} as const satisfies Record<string, readonly TransactionStatus[]>
export type AdminStatusFilter = keyof typeof adminStatusFilters
export const adminStatusFilterWords = Object.keys(adminStatusFilters) as AdminStatusFilter[]

/** Words that a seller may filter by; 'aprovado' finds transactions that read aprovado or pago. */
export const sellerStatusFilters = {
  pendente: ["pending"],
  aprovado: ["paid"],
  pago: ["paid"],
  recusado: ["failed"],
  cancelado: ["cancelled"],
  expirado: ["expired"],
  estornado: ["refunded"],
} as const satisfies Record<string, readonly TransactionStatus[]>
export type SellerStatusFilter = keyof typeof sellerStatusFilters
export const sellerStatusFilterWords = Object.keys(sellerStatusFilters) as SellerStatusFilter[]

export const sellerStatusLabels = {
  pendente: "Pendente",
  pago: "Pago",
  expirado: "Expirado",
  cancelado: "Cancelado",
  recusado: "Recusado",
  estornado: "Estornado",
} as const satisfies Record<SellerStatus, string>
