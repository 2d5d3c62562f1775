import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isRefundable } from "@tilinta/contract/vocabulary/transactions"
import type { Db } from "#db/transaction"
import type { Clock, Day } from "#kit/clock"
import { hasLiveDispute } from "#money/disputes/reads"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import type { OwnerNotice } from "#platform/mails/notify-owner"
import type { Charge } from "#selling/charges/rules"
import { findCompletedNames, findRefundRows, listRefundsOfCharge, sumLiveRefunds } from "./reads.ts"
import { isTooLateToRefund, type Refund, refundableUntil } from "./rules.ts"

type Action = "refund.requested" | "refund.completed" | "refund.refused" | "refund.by_bank"

/** A null actor stands for the platform, acting on the provider's report. */
export function refundAuditOf(
  action: Action,
  before: Refund | null,
  after: Refund,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "refund",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

function recorded({ status, origin, endToEndId, chargeId, sellerId, amountCents, feeCents, failureReason }: Refund) {
  return { status, origin, endToEndId, chargeId, sellerId, amountCents, feeCents, failureReason }
}

/** Nobody is told of a payment that was not credited. */
export function refundNotices(
  refund: Refund,
  charge: Charge | null,
  { at, person }: { at: Date; person: string | null },
): OwnerNotice[] {
  if (charge === null) return []
  const { id, origin, amountCents, feeCents, reason } = refund
  const about = { chargeId: charge.id, pageTitle: charge.pageTitle, amountCents }
  const notice =
    refund.status === "refused"
      ? ({ kind: "refund_refused", ...about, reason: refund.failureReason ?? "" } as const)
      : ({
          kind: "payment_refunded",
          ...about,
          origin,
          takenCents: subtractCents(amountCents, feeCents),
          reason,
          refundedAt: at.toISOString(),
          ...(person !== null && { person }),
        } as const)
  return [{ userId: charge.sellerId, about: `refund:${id}`, dedupeKey: `refund:${id}`, notice }]
}

export interface KnownRefunds {
  /** Newest first. */
  refunds: Refund[]
  /** The amount that the caller may still refund: zero while the payment is disputed. */
  refundableCents: Cents
  deadline: { day: Day; hasPassed: boolean } | null
}

export async function listRefunds(
  { db, clock }: { db: Db; clock: Clock },
  charge: Charge,
  asker: "seller" | "admin",
): Promise<KnownRefunds> {
  const [refunds, live, isDisputed] = await Promise.all([
    listRefundsOfCharge(db, charge.id),
    sumLiveRefunds(db, charge.id),
    charge.endToEndId === null ? false : hasLiveDispute(db, charge.endToEndId),
  ])
  const day = refundableUntil(charge)
  const hasPassed = isTooLateToRefund(charge, clock.now())
  const mayRefund = isRefundable(charge.status) && !isDisputed && !(asker === "seller" && hasPassed)
  const refundableCents = mayRefund ? subtractCents(charge.amountCents, live.grossCents) : noMoney
  return { refunds, refundableCents, deadline: day === null ? null : { day, hasPassed } }
}

export async function findRefunds(db: Db, ids: readonly string[]): Promise<Refund[]> {
  return ids.length === 0 ? [] : findRefundRows(db, ids)
}

/** Completed refunds of these payments, each as `payment/refund`. */
export async function findCompletedRefunds(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  const names = await findCompletedNames(db, [...new Set(endToEndIds)])
  return new Set(names.map(({ endToEndId, pspRefundId }) => `${endToEndId}/${pspRefundId}`))
}
