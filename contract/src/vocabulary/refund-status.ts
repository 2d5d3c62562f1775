/** 'processing': handed to the bank, outcome not known yet. Both others are final words of the bank. */
export const refundStatuses = ["processing", "completed", "refused"] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** Who began it. What the bank began (a dispute, an error of its own) nobody here can refuse. */
export const refundOrigins = ["seller", "admin", "bank"] as const
export type RefundOrigin = (typeof refundOrigins)[number]
