import { isRefundable } from "@tilinta/contract/vocabulary/transactions"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { isBelowFloor } from "#ledger/post-transactions"
import { getRefund, notCovered, refuseFrozen } from "#money/refunds/request"
import { asRequested, type Refund } from "#money/refunds/rules"
import { storeChargeRefund } from "#money/refunds/store"
import type { Proof } from "#people/second-factors/factors"
import { notifyShops } from "#people/team/notify"
import { recordAudit } from "#platform/audit/record"
import { type Actor, type AuditEntry, personOf } from "#platform/audit/rules"
import { lockCharge } from "#selling/charges/find"
import type { Charge } from "#selling/charges/rules"
import { isSoldAtCounter, listRequestsOfCharge } from "./reads.ts"
import { type RefundRequest, stateOf } from "./rules.ts"
import { decideRequest, insertRequest } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/**
 * Moves no money. A sale has one request that waits: asking again gives the same.
 * @throws transaction_not_found, transaction_not_refundable
 */
export async function askForRefund(
  { db, clock }: Deps,
  input: { chargeId: string; actor: Actor; reason: string },
): Promise<RefundRequest> {
  return db.transaction().execute((tx) => recordRequest(tx, input, clock.now()))
}

async function recordRequest(
  tx: Tx,
  { chargeId, actor, reason }: { chargeId: string; actor: Actor; reason: string },
  now: Date,
): Promise<RefundRequest> {
  const charge = await lockSale(tx, chargeId, actor.id)
  if (!isRefundable(charge.status)) throw new DomainError("transaction_not_refundable")
  const known = (await listRequestsOfCharge(tx, chargeId)).at(-1)
  if (known?.decidedAt === null) return known
  const [id, askedBy] = [newId(), personOf(actor)]
  await insertRequest(tx, { id, chargeId, sellerId: actor.id, askedBy, reason, askedAt: now })
  const request = await getRequest(tx, chargeId, id)
  if (request.leftCents <= 0) {
    throw new DomainError("transaction_not_refundable", { message: "Todo o valor desta venda já está em estorno." })
  }
  await recordAudit(tx, auditOf("refund.asked", request, actor, now))
  await notifyManagers(tx, request, now)
  return request
}

async function notifyManagers(tx: Tx, request: RefundRequest, now: Date): Promise<void> {
  const { id, sellerId: userId, askedBy, leftCents: amountCents, description, reason } = request
  const notice = { kind: "refund_asked", askedBy: askedBy.name, amountCents, description, reason } as const
  await notifyShops(tx, [{ userId, notice, dedupeKey: `refund-request:${id}` }], now, { exceptId: askedBy._id })
}

interface Decision {
  chargeId: string
  requestId: string
  /** An owner or a manager, for the shop. */
  actor: Actor
}

interface Confirmed {
  refund: Refund
  /** The name of who stood at the counter. */
  askedBy: string
}

/**
 * The refund is the manager's own, with all that protects one. Confirming again gives the same refund.
 * @throws refund_request_not_found, refund_request_decided, and whatever a refund does
 */
export async function confirmRefundRequest(
  { db, clock }: Deps,
  decision: Decision & { proof: Proof },
): Promise<Confirmed> {
  const moment = { refundId: newId(), now: clock.now() }
  return db
    .transaction()
    .execute((tx) => confirm(tx, decision, moment))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered("seller", error) : error
    })
}

async function confirm(
  tx: Tx,
  { chargeId, requestId, actor, proof }: Decision & { proof: Proof },
  { refundId, now }: { refundId: string; now: Date },
): Promise<Confirmed> {
  await refuseFrozen(tx, actor.id)
  const charge = await lockSale(tx, chargeId, actor.id)
  const request = await getRequest(tx, chargeId, requestId)
  const { name: askedBy } = request.askedBy
  if (request.refundId !== null) return { refund: asRequested(await getRefund(tx, request.refundId)), askedBy }
  if (request.decidedAt !== null) throw new DomainError("refund_request_decided")
  const order = {
    id: refundId,
    actor,
    origin: "seller",
    reason: request.reason,
    amountCents: null,
    proof,
    now,
  } as const
  const refund = await storeChargeRefund(tx, charge, order)
  await decideRequest(tx, requestId, { by: personOf(actor), at: now, refundId })
  return { refund, askedBy }
}

/** A second time it changes nothing. @throws refund_request_not_found, refund_request_decided */
export async function declineRefundRequest({ db, clock }: Deps, decision: Decision): Promise<RefundRequest> {
  return db.transaction().execute((tx) => decline(tx, decision, clock.now()))
}

async function decline(tx: Tx, { chargeId, requestId, actor }: Decision, now: Date): Promise<RefundRequest> {
  await lockSale(tx, chargeId, actor.id)
  const request = await getRequest(tx, chargeId, requestId)
  if (stateOf(request) === "declined") return request
  if (request.decidedAt !== null) throw new DomainError("refund_request_decided")
  await decideRequest(tx, requestId, { by: personOf(actor), at: now, refundId: null })
  await recordAudit(tx, auditOf("refund.declined", request, actor, now))
  return getRequest(tx, chargeId, requestId)
}

/** Under its lock two decisions come one after the other. Whatever isn't a sale of this shop's counter is unknown. */
async function lockSale(tx: Tx, chargeId: string, sellerId: string): Promise<Charge> {
  const charge = isId(chargeId) ? await lockCharge(tx, chargeId) : null
  const isSale = charge?.sellerId === sellerId && (await isSoldAtCounter(tx, chargeId))
  if (charge === null || !isSale) throw new DomainError("transaction_not_found")
  return charge
}

async function getRequest(tx: Tx, chargeId: string, id: string): Promise<RefundRequest> {
  const request = (await listRequestsOfCharge(tx, chargeId)).find((each) => each.id === id)
  if (request === undefined) throw new DomainError("refund_request_not_found")
  return request
}

/** Found with the charge's records, next to the refund's own. */
function auditOf(
  action: "refund.asked" | "refund.declined",
  { id, chargeId, sellerId, leftCents, reason }: RefundRequest,
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  const after = { chargeId, sellerId, amountCents: leftCents, reason }
  return { actor, happenedAt, action, entity: "refund", entityId: id, before: null, after }
}
