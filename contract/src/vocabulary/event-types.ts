/** The facts that integrators hear of, by feed and webhook, by what they are about. docs/events.md says when each is told. */
export const chargeEventTypes = [
  "charge.created",
  "charge.paid",
  "charge.expired",
  "charge.cancelled",
  "charge.refunded",
  "charge.disputed",
] as const
export const withdrawalEventTypes = [
  "withdrawal.requested",
  "withdrawal.approved",
  "withdrawal.completed",
  "withdrawal.rejected",
  "withdrawal.cancelled",
  "withdrawal.returned",
  "withdrawal.held",
] as const
export const pageEventTypes = [
  "page.created",
  "page.updated",
  "page.completed",
  "page.expired",
  "page.deleted",
] as const
export const paymentEventTypes = ["payment.unmatched"] as const

export const eventTypes = [
  ...chargeEventTypes,
  ...withdrawalEventTypes,
  ...pageEventTypes,
  ...paymentEventTypes,
] as const
export type EventType = (typeof eventTypes)[number]
