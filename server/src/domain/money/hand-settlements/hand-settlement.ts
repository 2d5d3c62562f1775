import {
  type HandSettlementOutcome,
  type HandSettlementSubject,
  type HandSettlementWait,
  SETTLED_BY_HAND_AFTER_HOURS,
} from "@tilinta/contract/vocabulary/hand-settlement"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { secondsAfter } from "#kit/clock"

/** A person's word for what became of money that the bank doesn't answer for. */
export interface HandSettlement {
  subjectId: string
  subject: HandSettlementSubject
  outcome: HandSettlementOutcome
  /** The transfer in the Pix network; null unless it was paid. */
  endToEndId: string | null
  reason: string
  proposedBy: string
  proposedAt: Date
  confirmedBy: string | null
  /** Null while it waits for a second administrator, or for a worker that may be sending. */
  settledAt: Date | null
}

export interface SettleByHand {
  id: string
  admin: Actor
  outcome: HandSettlementOutcome
  endToEndId: string | null
  reason: string
}

/** Null: it took effect. */
export type SettlementWaitsFor = HandSettlementWait | null

/** Two admins must say the same, unless only one may decide: nobody decides about their own money. */
export function isEnough(
  { confirmedBy }: Pick<HandSettlement, "confirmedBy">,
  sellerId: string | null,
  admins: readonly string[],
): boolean {
  return confirmedBy !== null || admins.filter((adminId) => adminId !== sellerId).length < 2
}

/** Longer than all calls of one attempt to send. */
const SENDING_SECONDS = 60

export function mayBeSending(sendingAt: Date | null, now: Date): boolean {
  return sendingAt !== null && secondsAfter(sendingAt, SENDING_SECONDS) > now
}

/** Until then the bank may still answer. */
export function isOldEnough(handedOverAt: Date | null, now: Date): boolean {
  return handedOverAt !== null && secondsAfter(handedOverAt, SETTLED_BY_HAND_AFTER_HOURS * 3600) <= now
}
