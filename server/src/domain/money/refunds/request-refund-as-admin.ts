import { addCents, type Cents, noMoney, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isRefundable } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db, Tx } from "#db/transaction"
import { askSecondPerson } from "#domain/people/second-approvals/ask-second-person"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { requireStepUp } from "#domain/people/second-factors/require-step-up"
import { isKeyClaimed } from "#domain/platform/idempotency/claim-idempotency-key"
import { readSecondApprovalAboveCents } from "#domain/platform/settings/read-setting"
import type { Charge } from "#domain/selling/charges/charge"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { isBelowFloor } from "#ledger/below-floor"
import type { Refund } from "./refund.ts"
import { sumLiveRefunds, sumRefundsSince } from "./refunds-repository.ts"
import { notCovered, type RefundInput, recordRequest } from "./request-refund.ts"
import { newRefund } from "./store-refund.ts"

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
  wish: AdminsRefund,
): Promise<RequestedRefund> {
  if (!isId(wish.chargeId)) throw new DomainError("transaction_not_found")
  const input = { ...wish, origin: "admin" } as const
  const moment = { id: newId(), now: clock.now() }
  return db
    .transaction()
    .execute((tx) => askAndRecord(tx, { ...input, protection }, moment))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered("admin", error) : error
    })
}

type Asked = RefundInput & { origin: "admin" } & Pick<Deps, "protection">

/** A repeated request for a refund that exists by now asks nobody. */
async function askAndRecord(
  tx: Tx,
  { protection, ...input }: Asked,
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
async function askAbout(tx: Tx, asked: Asked, now: Date): Promise<RequestedRefund | null> {
  const { chargeId, actor, origin, reason, protection } = asked
  const aboveCents = await readSecondApprovalAboveCents(tx)
  const charge = await lockCharge(tx, chargeId)
  if (aboveCents === null || charge === null || !isRefundable(charge.status)) return null
  const leftCents = await leftOf(tx, charge)
  const amountCents = asked.amountCents ?? leftCents
  const earlier = await sumRefundsSince(tx, chargeId, secondsAfter(now, -SUM_SECONDS))
  const isPossible = amountCents > noMoney && amountCents <= leftCents
  if (!isPossible || addCents(earlier, amountCents) <= aboveCents) return null
  if (asked.proof) await requireStepUp(tx, asked.proof)
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
