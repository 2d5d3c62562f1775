import { addCents, type Cents, feeShareOf, noMoney, reaisText, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isRefundable, type RefundOrigin } from "@tilinta/contract/vocabulary/transactions"
import type { Db, Tx } from "#db/transaction"
import { dayText, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import { refuseDisputed } from "#money/disputes/blocks"
import type { Payment } from "#money/payments/reads"
import { postDrawing } from "#money/reserves/move"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import type { Charge } from "#selling/charges/rules"
import { refundAuditOf } from "./list.ts"
import { isProviderConnected, sumLiveRefunds, sumRefundsSince, sumReturnedOfUncredited } from "./reads.ts"
import { isTooLateToRefund, pspRefundIdOf, type Refund, refundableUntil, refundRequestPostings } from "./rules.ts"
import { insertRefundOnce, listUnclaimedDebits, updateRefund } from "./table.ts"

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
const freeCents = 50_000 as Cents
const freeSeconds = 86_400

/** Call it with the charge locked: of several refunds at once each sees the sum of the others. */
async function askAboveLimit(
  tx: Tx,
  chargeId: string,
  { amountCents, proof, now }: { amountCents: Cents; proof: Proof | null; now: Date },
): Promise<void> {
  if (proof === null || proof.isFresh) return
  const earlier = await sumRefundsSince(tx, chargeId, secondsAfter(now, -freeSeconds))
  if (addCents(earlier, amountCents) > freeCents) await requireStepUp(tx, proof)
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
    requestedBy: personOf(actor),
    isDispute: false,
    disputeId: null,
    attempts: 0,
    createdAt: now,
    processedAt: null,
    settledAt: null,
    sendingAt: null,
    mac: null,
  }
}

async function store(tx: Tx, order: Order, substance: Substance): Promise<Refund> {
  const refund = newRefund(order, substance)
  invariant(await insertRefundOnce(tx, refund), `refund ${refund.id} already exists`)
  await postDrawing(tx, [refundRequestPostings(refund, order.now)])
  await recordAudit(tx, refundAuditOf("refund.requested", null, refund, order.actor, order.now))
  return refund
}

/** Attributes earlier debits of the bank to the dispute, as far as they fit. Returns their sum. */
export async function claimDebits(
  tx: Tx,
  { endToEndId, disputeId, mostCents }: { endToEndId: string; disputeId: string; mostCents: Cents },
): Promise<Cents> {
  let claimedCents = noMoney
  for (const { id, amountCents } of await listUnclaimedDebits(tx, endToEndId)) {
    if (addCents(claimedCents, amountCents) > mostCents) break
    await updateRefund(tx, id, { dispute_id: disputeId })
    claimedCents = addCents(claimedCents, amountCents)
  }
  return claimedCents
}

/** Only the bank that received a payment can return it: a refund there without a connection would never end. */
async function refuseFormerBank(db: Db, provider: string, origin: "seller" | "admin"): Promise<void> {
  if (await isProviderConnected(db, provider)) return
  if (origin === "seller") throw new DomainError("refund_at_former_bank")
  const message = `Este pagamento entrou pelo banco ${provider}, que não está mais conectado. Para devolvê-lo, ponha as variáveis desse banco em PIX_FORMER_PROVIDER e nas demais PIX_FORMER_…, reinicie o servidor e tente de novo.`
  throw new DomainError("refund_at_former_bank", { message })
}
