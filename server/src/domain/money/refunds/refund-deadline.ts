import type { Charge } from "#domain/selling/charges/charge"
import { type Day, daysAfter, saoPauloDay } from "#kit/sao-paulo-day"

/** The rules of Pix give receivers this long to return a payment. */
const REFUNDABLE_DAYS = 90

/** The seller's last day for a refund. Null for an unpaid charge. */
export function refundableUntil({ paidAt }: Pick<Charge, "paidAt">): Day | null {
  return paidAt === null ? null : daysAfter(saoPauloDay(paidAt), REFUNDABLE_DAYS)
}

/** An admin may still try: then the bank decides. */
export function isTooLateToRefund(charge: Pick<Charge, "paidAt">, now: Date): boolean {
  const lastDay = refundableUntil(charge)
  return lastDay !== null && saoPauloDay(now) > lastDay
}
