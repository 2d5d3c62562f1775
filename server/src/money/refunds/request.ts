import { addCents, type Cents, noMoney, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isRefundable } from "@tilinta/contract/vocabulary/transactions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { isBelowFloor } from "#ledger/post-transactions"
import { findFrozen } from "#people/freezes/freeze"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { lockPerson } from "#people/users/change-user"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey, isKeyClaimed } from "#platform/idempotency/claim"
import { readSecondApprovalAboveCents } from "#platform/settings/reads"
import { lockCharge } from "#selling/charges/find"
import type { Charge } from "#selling/charges/rules"
import { findRefundRow, sumLiveRefunds, sumRefundsSince } from "./reads.ts"
import { asRequested, type Refund } from "./rules.ts"
import { newRefund, storeChargeRefund } from "./store.ts"

interface RefundInput {
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
async function recordRequest(tx: Tx, input: RefundInput, { id, now }: { id: string; now: Date }): Promise<Refund> {
  const { chargeId, actor, origin, amountCents, reason, proof = null } = input
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: actor.id,
    key: input.idempotencyKey,
    request: { refund: { chargeId, origin, amountCents, reason } },
    resourceId: id,
  })
  if (firstId !== id) return asRequested(await getRefund(tx, firstId))
  if (origin === "seller") await refuseFrozen(tx, actor.id)
  const charge = await lockCharge(tx, chargeId)
  if (charge === null) throw new DomainError("transaction_not_found")
  if (origin === "seller" && charge.sellerId !== actor.id) throw new DomainError("transaction_forbidden")
  return storeChargeRefund(tx, charge, { id, actor, origin, amountCents, reason, proof, now })
}

/** Under the seller's lock: a request that was let in just before the freeze is done before it, or refused. */
export async function refuseFrozen(tx: Tx, sellerId: string): Promise<void> {
  await lockPerson(tx, sellerId)
  if ((await findFrozen(tx, [sellerId])).size > 0) throw new DomainError("account_frozen")
}

export async function getRefund(db: Db, id: string): Promise<Refund> {
  const refund = await findRefundRow(db, id)
  invariant(refund !== null, `no refund ${id}`)
  return refund
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

type AdminsRefund = Omit<RefundInput, "origin">

interface RequestedRefund {
  /** Not stored yet while it waits. */
  refund: Refund
  /** The first approval, when no money has moved yet; null otherwise. */
  waits: SecondApproval | null
}

/** An administrator gives a payer's money back out of a seller's balance: a large sum needs two of them. */
export async function requestRefundAsAdmin(
  { db, clock, protection }: Deps,
  refund: AdminsRefund,
): Promise<RequestedRefund> {
  if (!isId(refund.chargeId)) throw new DomainError("transaction_not_found")
  const input = { ...refund, origin: "admin" } as const
  const moment = { id: newId(), now: clock.now() }
  return db
    .transaction()
    .execute((tx) => askAndRecord(tx, { ...input, protection }, moment))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered("admin", error) : error
    })
}

type AdminsRefundInput = RefundInput & { origin: "admin" } & Pick<Deps, "protection">

/** A repeated request for a refund that exists by now asks nobody. */
async function askAndRecord(
  tx: Tx,
  { protection, ...input }: AdminsRefundInput,
  moment: { id: string; now: Date },
): Promise<RequestedRefund> {
  if (protection === "strict" && !(await isKeyClaimed(tx, input.actor.id, input.idempotencyKey))) {
    const waiting = await askAbout(tx, { ...input, protection }, moment.now)
    if (waiting !== null) return waiting
  }
  return { refund: await recordRequest(tx, input, moment), waits: null }
}

const SUM_SECONDS = 86_400

/** Refunds of one payment count together for a day, so that many small ones are a large one. */
async function askAbout(tx: Tx, input: AdminsRefundInput, now: Date): Promise<RequestedRefund | null> {
  const { chargeId, actor, origin, reason, protection } = input
  const aboveCents = await readSecondApprovalAboveCents(tx)
  const charge = await lockCharge(tx, chargeId)
  if (aboveCents === null || charge === null || !isRefundable(charge.status)) return null
  const leftCents = await leftOf(tx, charge)
  const amountCents = input.amountCents ?? leftCents
  const earlier = await sumRefundsSince(tx, chargeId, secondsAfter(now, -SUM_SECONDS))
  const isPossible = amountCents > noMoney && amountCents <= leftCents
  if (!isPossible || addCents(earlier, amountCents) <= aboveCents) return null
  if (input.proof) await requireStepUp(tx, input.proof)
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(amountCents) },
    { field: "reason", before: null, after: reason === "" ? null : reason },
  ]
  const about = { act: "refund.request", subjectId: chargeId, subjectName: charge.pageTitle, changes } as const
  const { waits } = await askSecondPerson(tx, { ...about, by: actor, protection }, now)
  if (waits === null) return null
  const { endToEndId, provider, sellerId } = charge
  const substance = { endToEndId: endToEndId ?? "", provider, chargeId, sellerId, amountCents, feeCents: noMoney }
  return { refund: newRefund({ id: waits.id, actor, origin, reason, now }, substance), waits }
}

async function leftOf(tx: Tx, { id, amountCents }: Charge): Promise<Cents> {
  return subtractCents(amountCents, (await sumLiveRefunds(tx, id)).grossCents)
}
