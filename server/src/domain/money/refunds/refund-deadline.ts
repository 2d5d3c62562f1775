import type { Charge } from "#domain/selling/charges/charge"
import { type Day, daysAfter, saoPauloDay } from "#kit/sao-paulo-day"

/** What the rules of Pix give a receiver to send a payment back. */
const REFUNDABLE_DAYS = 90

/** The last day on which the seller may refund it. Null for what was never paid. */
export function refundableUntil({ paidAt }: Pick<Charge, "paidAt">): Day | null {
  return paidAt === null ? null : daysAfter(saoPauloDay(paidAt), REFUNDABLE_DAYS)
}

/** An admin may still try: then the bank decides. */
export function isTooLateToRefund(charge: Pick<Charge, "paidAt">, now: Date): boolean {
  const lastDay = refundableUntil(charge)
  return lastDay !== null && saoPauloDay(now) > lastDay
}
