export type HandSettlementSubject = "withdrawal" | "refund"

/** A person's word for what became of a payout or refund that the bank never answers for. */
export const handSettlementOutcomes = ["paid", "not_paid"] as const
export type HandSettlementOutcome = (typeof handSettlementOutcomes)[number]

/** 'second_admin': another must say the same. 'sending': a worker may have been sending it, so it must be said again. */
export const handSettlementWaits = ["second_admin", "sending"] as const
export type HandSettlementWait = (typeof handSettlementWaits)[number]

/** From this long after it was sent on: until then the bank may still answer. */
export const SETTLED_BY_HAND_AFTER_HOURS = 24

/** A transfer in the Pix network starts with E, a return with D. */
export function isEndToEndId(text: string): boolean {
  return /^[DE][0-9A-Za-z]{31}$/.test(text)
}
