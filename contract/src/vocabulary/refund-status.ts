import { statusesWith } from "./status-facts.ts"

/** 'processing': handed to the bank, outcome unknown. Both others are final. */
export const refundStatuses = ["processing", "completed", "refused"] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** A new status doesn't compile until these are decided. */
const refundFacts = {
  processing: { isUnderWay: true, isLive: true },
  completed: { isUnderWay: false, isLive: true },
  refused: { isUnderWay: false, isLive: false },
} as const satisfies Record<RefundStatus, Record<"isUnderWay" | "isLive", boolean>>

/** The money went back, or is on its way. */
export const liveRefundStatuses = /* @__PURE__ */ statusesWith(refundFacts, "isLive")

export function isLiveRefund(status: RefundStatus): boolean {
  return refundFacts[status].isLive
}

export function isRefundUnderWay(status: RefundStatus): boolean {
  return refundFacts[status].isUnderWay
}

export const refundStatusLabels = {
  processing: "Em processamento",
  completed: "Concluído",
  refused: "Recusado pelo banco",
} as const satisfies Record<RefundStatus, string>

/** The side that began the refund. A refund by the bank (a dispute, or its own error) can't be refused here. */
export const refundOrigins = ["seller", "admin", "bank"] as const
export type RefundOrigin = (typeof refundOrigins)[number]

export const refundOriginLabels = {
  seller: "Vendedor",
  admin: "Administrador",
  bank: "Banco",
} as const satisfies Record<RefundOrigin, string>
