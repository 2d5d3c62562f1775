import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Proof } from "#domain/people/second-factors/require-step-up"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { isBelowFloor } from "#ledger/below-floor"
import { asRequested, type Refund } from "./refund.ts"
import { findRefundRow } from "./refunds-repository.ts"
import { storeChargeRefund } from "./store-refund.ts"

export interface RefundInput {
  chargeId: string
  actor: Actor
  /** A seller may refund only their own charges. */
  origin: "seller" | "admin"
  /** All that is left when null. */
  amountCents: Cents | null
  reason: string
  /** Null where nobody from outside asks. */
  proof?: Proof | null
  /** The same key with the same input returns the refund created first. */
  idempotencyKey: string | null
}

/**
 * Takes the money at once: the ledger's floor refuses what the seller no longer has, and the charge's lock what was
 * never paid, however many request at the same time. A job hands the refund to the provider.
 */
export async function requestRefund({ db, clock }: { db: Db; clock: Clock }, input: RefundInput): Promise<Refund> {
  if (!isId(input.chargeId)) throw new DomainError("transaction_not_found")
  const [id, now] = [newId(), clock.now()]
  return db
    .transaction()
    .execute((tx) => recordRequest(tx, input, { id, now }))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered(input.origin, error) : error
    })
}

/** The error when the seller has withdrawn the money meanwhile. */
export function notCovered(origin: "seller" | "admin", cause: unknown): DomainError {
  if (origin === "seller") return new DomainError("refund_not_covered", { cause })
  const message = "Saldo insuficiente do vendedor para este estorno."
  return new DomainError("refund_not_covered", { message, cause })
}

/** Runs in the caller's transaction. */
export async function recordRequest(
  tx: Tx,
  input: RefundInput,
  { id, now }: { id: string; now: Date },
): Promise<Refund> {
  const { chargeId, actor, origin, amountCents, reason, proof = null } = input
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: actor.id,
    key: input.idempotencyKey,
    request: { refund: { chargeId, origin, amountCents, reason } },
    resourceId: id,
  })
  if (firstId !== id) return asRequested(await getRefund(tx, firstId))
  const charge = await lockCharge(tx, chargeId)
  if (charge === null) throw new DomainError("transaction_not_found")
  if (origin === "seller" && charge.sellerId !== actor.id) throw new DomainError("transaction_forbidden")
  return storeChargeRefund(tx, charge, { id, actor, origin, amountCents, reason, proof, now })
}

async function getRefund(db: Db, id: string): Promise<Refund> {
  const refund = await findRefundRow(db, id)
  invariant(refund !== null, `no refund ${id}`)
  return refund
}
