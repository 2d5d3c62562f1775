/** 'processing': handed to the bank, outcome not known yet. Both others are final words of the bank. */
export const refundStatuses = ["processing", "completed", "refused"] as const
export type RefundStatus = (typeof refundStatuses)[number]

export const refundStatusLabels = {
  processing: "Em processamento",
  completed: "Concluído",
  refused: "Recusado pelo banco",
} as const satisfies Record<RefundStatus, string>

/** Who began it. What the bank began (a dispute, an error of its own) nobody here can refuse. */
export const refundOrigins = ["seller", "admin", "bank"] as const
export type RefundOrigin = (typeof refundOrigins)[number]

export const refundOriginLabels = {
  seller: "Vendedor",
  admin: "Administrador",
  bank: "Banco",
} as const satisfies Record<RefundOrigin, string>
