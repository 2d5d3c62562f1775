import type { Db, Tx } from "#db/transaction"
import type { Clock, Day } from "#kit/clock"
import { compareHolder } from "#money/destinations/owner"
import type { ShownHolder } from "#money/destinations/rules"
import { endOpenEntry } from "#money/remittances/entries"
import { lockForeign, lockPayableByHand } from "#money/withdrawals/decide"
import { type Withdrawal, withdrawalAuditOf } from "#money/withdrawals/withdrawal"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { actOnOrder } from "#platform/order-macs/macs"
import { endClaim, findDoubt, requireUnclaimed } from "./finish.ts"
import { type Claim, codeOf, endOfClaim, isClaimed, type PayoutCode } from "./rules.ts"
import { saveHandPayout } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Claiming {
  id: string
  admin: Actor
  /** The administrator has looked at the bank: it was not paid, whoever began before and whatever a statement says. */
  isChecked: boolean
  /** As the bank's app shows them; null while nobody typed them. */
  shownHolder: ShownHolder | null
}

interface ClaimedPayout {
  withdrawal: Withdrawal
  /** Null while somebody must look at the bank first. */
  claim: Claim | null
  /** The person who began to pay it before and never said what came of it. */
  earlier: Pick<Claim, "by" | "at"> | null
  /** The day of a bank statement's debit that seems to have paid it; null once somebody looked. */
  debitedOn: Day | null
  /** Null for a bank account, and without a claim. */
  code: PayoutCode | null
  /** The seller, as a transfer to a bank account names them; null without a claim. */
  holder: { name: string; document: string } | null
}

/**
 * Claims it and shows how to pay. The order's MAC is checked before a code is made: a key that was changed after the
 * approval is never shown.
 */
export async function claimWithdrawal({ db, clock }: Deps, claiming: Claiming): Promise<ClaimedPayout> {
  const now = clock.now()
  const { shownHolder } = claiming
  // Kept whatever the claim itself then answers.
  if (shownHolder !== null) await actOnOrder({ db, clock }, (tx) => compareOnce(tx, { ...claiming, shownHolder }, now))
  return actOnOrder({ db, clock }, (tx) => claimOnce(tx, claiming, now))
}

async function compareOnce(
  tx: Tx,
  { id, admin, shownHolder: holder }: Claiming & { shownHolder: ShownHolder },
  now: Date,
): Promise<void> {
  await compareHolder(tx, { withdrawal: await lockPayableByHand(tx, { id, admin }, now), holder, admin }, now)
}

async function claimOnce(tx: Tx, { id, admin, isChecked }: Claiming, now: Date): Promise<ClaimedPayout> {
  const withdrawal = await lockPayableByHand(tx, { id, admin }, now)
  const known = await requireUnclaimed(tx, { withdrawalId: id, adminId: admin.id, now })
  // A claim that still runs is this administrator's own.
  const silent = known !== null && isClaimed(known, now) ? null : known
  const doubt = isChecked ? null : await findDoubt(tx, { withdrawal, payout: silent })
  if (doubt !== null) {
    const [earlier, debitedOn] = doubt.why === "debited" ? [null, doubt.day] : [doubt, null]
    return { withdrawal, claim: null, earlier, debitedOn, code: null, holder: null }
  }
  if (isChecked) await endOpenEntry(tx, id, "dropped")
  await saveHandPayout(tx, { withdrawalId: id, claimedBy: admin.id, claimedAt: now, bankId: null })
  await recordAudit(tx, withdrawalAuditOf("withdrawal.claimed", null, withdrawal, admin, now))
  const by = { id: admin.id, name: (await getUser(tx, admin.id)).name }
  const { name, cpf } = await getUser(tx, withdrawal.sellerId)
  return {
    withdrawal,
    claim: { by, at: now, expiresAt: endOfClaim(now) },
    earlier: null,
    debitedOn: null,
    code: codeOf(withdrawal, name),
    holder: { name, document: cpf },
  }
}

type Release = Pick<Claiming, "id" | "admin">

/** It was not paid. A second release changes nothing. */
export async function releaseWithdrawal({ db, clock }: Deps, release: Release): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => releaseOnce(tx, release, now))
}

async function releaseOnce(tx: Tx, { id, admin }: Release, now: Date): Promise<void> {
  await lockForeign(tx, { id, admin })
  const known = await requireUnclaimed(tx, { withdrawalId: id, adminId: admin.id, now })
  // Only whoever began knows that it was not paid: anybody else looks at the bank before they pay.
  if (known?.claimedBy === admin.id) await endClaim(tx, known)
}
