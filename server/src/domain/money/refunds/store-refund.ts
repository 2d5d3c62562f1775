import { addCents, type Cents, feeShareOf, noMoney, reaisText, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { RefundOrigin } from "@tilinta/contract/vocabulary/refund-status"
import { isRefundable } from "@tilinta/contract/vocabulary/transaction-status"
import type { Tx } from "#db/transaction"
import { refuseDisputed } from "#domain/money/disputes/refuse-disputed"
import type { Payment } from "#domain/money/payments/find-payment"
import { type Proof, requireStepUp } from "#domain/people/second-factors/require-step-up"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Charge } from "#domain/selling/charges/charge"
import { secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"
import { dayText } from "#kit/sao-paulo-day"
import { postDrawing } from "#money/reserves/move"
import { pspRefundIdOf, type Refund } from "./refund.ts"
import { refundAuditOf } from "./refund-audit.ts"
import { isTooLateToRefund, refundableUntil } from "./refund-deadline.ts"
import { refundRequestPostings } from "./refund-postings.ts"
import { insertRefundOnce, sumLiveRefunds, sumRefundsSince, sumReturnedOfUncredited } from "./refunds-repository.ts"
import { refuseFormerBank } from "./refuse-former-bank.ts"

interface Order {
  id: string
  actor: Actor
  origin: Exclude<RefundOrigin, "bank">
  reason: string
  now: Date
}

/** Refunds a locked charge; without an amount, all that is left of it. */
export async function storeChargeRefund(
  tx: Tx,
  charge: Charge,
  order: Order & { amountCents: Cents | null; proof: Proof | null },
): Promise<Refund> {
  if (charge.status === "refunded") {
    throw new DomainError("transaction_not_refundable", { message: "Esta transação já foi estornada." })
  }
  if (!isRefundable(charge.status)) throw new DomainError("transaction_not_refundable")
  if (order.origin === "seller") refuseIfTooLate(charge, order.now)
  invariant(charge.endToEndId !== null, `charge ${charge.id} has no payment`)
  await refuseFormerBank(tx, charge.provider, order.origin)
  await refuseDisputed(tx, charge.endToEndId)
  const live = await sumLiveRefunds(tx, charge.id)
  const leftCents = subtractCents(charge.amountCents, live.grossCents)
  if (leftCents === noMoney) {
    const message = "Todo o valor desta transação já está em estorno."
    throw new DomainError("transaction_not_refundable", { message })
  }
  const amountCents = order.amountCents ?? leftCents
  if (amountCents <= noMoney) throw brokenRule("amount", "O valor do estorno deve ser maior que zero")
  if (amountCents > leftCents) {
    throw brokenRule("amount", `O valor do estorno não pode passar de ${reaisText(leftCents)}`)
  }
  await askAboveLimit(tx, charge.id, { ...order, amountCents })
  const paid = { grossCents: charge.amountCents, feeCents: charge.feeCents }
  return store(tx, order, {
    endToEndId: charge.endToEndId,
    provider: charge.provider,
    chargeId: charge.id,
    sellerId: charge.sellerId,
    amountCents,
    feeCents: feeShareOf(amountCents, paid, live),
  })
}

/** Refunds of one payment up to this sum within a day ask nothing. */
const unaskedCents = 50_000 as Cents
const unaskedSeconds = 86_400

/** Call it with the charge locked: of several refunds at once each sees the sum of the others. */
async function askAboveLimit(
  tx: Tx,
  chargeId: string,
  { amountCents, proof, now }: { amountCents: Cents; proof: Proof | null; now: Date },
): Promise<void> {
  if (proof === null || proof.isFresh) return
  const earlier = await sumRefundsSince(tx, chargeId, secondsAfter(now, -unaskedSeconds))
  if (addCents(earlier, amountCents) > unaskedCents) await requireStepUp(tx, proof)
}

function refuseIfTooLate(charge: Charge, now: Date): void {
  const lastDay = refundableUntil(charge)
  if (lastDay === null || !isTooLateToRefund(charge, now)) return
  const message = `O prazo de 90 dias para estornar este pagamento terminou em ${dayText(lastDay)}.`
  throw new DomainError("refund_too_late", { message })
}

/** Returns all that is left of an uncredited payment. Call it with the unmatched payment locked. */
export async function storeUncreditedRefund(tx: Tx, payment: Payment, order: Order): Promise<Refund> {
  const { endToEndId, provider } = payment
  await refuseFormerBank(tx, provider, order.origin)
  await refuseDisputed(tx, endToEndId)
  const amountCents = subtractCents(payment.amountCents, await sumReturnedOfUncredited(tx, endToEndId))
  return store(tx, order, { endToEndId, provider, chargeId: null, sellerId: null, amountCents, feeCents: noMoney })
}

type Substance = Pick<Refund, "endToEndId" | "provider" | "chargeId" | "sellerId" | "amountCents" | "feeCents">

export function newRefund({ id, actor, origin, reason, now }: Order, substance: Substance): Refund {
  return {
    ...substance,
    id,
    pspRefundId: pspRefundIdOf(id),
    origin,
    status: "processing",
    reason,
    failureReason: null,
    returnId: null,
    requestedBy: actor.id,
    isDispute: false,
    disputeId: null,
    attempts: 0,
    createdAt: now,
    processedAt: null,
    settledAt: null,
    sendingAt: null,
  }
}

async function store(tx: Tx, order: Order, substance: Substance): Promise<Refund> {
  const refund = newRefund(order, substance)
  invariant(await insertRefundOnce(tx, refund), `refund ${refund.id} already exists`)
  await postDrawing(tx, [refundRequestPostings(refund, order.now)])
  await recordAudit(tx, refundAuditOf("refund.requested", null, refund, order.actor, order.now))
  return refund
}
