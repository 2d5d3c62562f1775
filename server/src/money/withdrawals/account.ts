import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { postTransactions } from "#ledger/post-transactions"
import { removeDoubtfulDestinations } from "#money/destinations/manage"
import { dropProposalsOf } from "#money/manual-entries/entries"
import { pauseRule } from "#money/withdrawal-rules/manage"
import { endFreeze, findFrozen, freezeAccount, ownerOfNotMeLink, useNotMeLink } from "#people/freezes/freeze"
import { askSecondPerson, dropApprovalsOf, trustedApprovers } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { lockWithTeam, stopTeam, type TeamStopped } from "#people/team/members"
import { notifyAllOwners } from "#people/team/notify"
import { dropEmailChange } from "#people/users/change-email"
import { findPeople, lockAdminAnd } from "#people/users/change-user"
import { forgetDevices } from "#people/users/known-devices"
import { markRecovered, type OnRecovery, voidPassword } from "#people/users/passwords"
import type { User } from "#people/users/rules"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { notifyAdmins, notifyOwner } from "#platform/mails/notify-owner"
import { readHoldRules, readSetting } from "#platform/settings/reads"
import { recordPayoutOutcome } from "./pay.ts"
import { withdrawalOwnedBy } from "./reads.ts"
import { returnPostings } from "./rules.ts"
import { deleteWaitingWordsOf, lockForReturn, lockUnpaidOf, lockWithdrawal, updateWithdrawal } from "./table.ts"
import { cancelledNotice, heldNotice, heldToCheckNotice, type Withdrawal, withdrawalAuditOf } from "./withdrawal.ts"

interface SellersOwn {
  id: string
  seller: Actor
}

/** Lets the seller withdraw the request while it is undecided. */
export async function cancelWithdrawal(
  { db, clock }: { db: Db; clock: Clock },
  cancellation: SellersOwn,
): Promise<Withdrawal> {
  if (!isId(cancellation.id)) throw new DomainError("withdrawal_not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => returnToSeller(tx, cancellation, now))
}

async function returnToSeller(tx: Tx, { id, seller }: SellersOwn, now: Date): Promise<Withdrawal> {
  const pending = withdrawalOwnedBy(await lockWithdrawal(tx, id), seller.id)
  if (!isDecidable(pending.status)) {
    throw new DomainError("withdrawal_not_pending", { message: "Apenas saques pendentes podem ser cancelados." })
  }
  return returnUndecided(tx, pending, seller, now)
}

/** Its row must be locked, and nothing of it sent. */
async function returnUndecided(tx: Tx, unsent: Withdrawal, owner: Actor, now: Date): Promise<Withdrawal> {
  const { id } = unsent
  await lockForReturn(tx, unsent)
  const cancelled = await updateWithdrawal(tx, id, { status: "cancelled", processed_at: now, next_attempt_at: null })
  await postTransactions(tx, [returnPostings(unsent, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.cancelled", unsent, cancelled, owner, now))
  await notifyAllOwners(tx, [cancelledNotice(cancelled)], now)
  await appendEvents(tx, "withdrawal.cancelled", [id], now)
  return cancelled
}

interface Stopped extends TeamStopped {
  cancelledCount: number
  cancelledCents: Cents
  /** Handed to the bank before. */
  goneCount: number
  /** Approved payments by hand: a person may be making them, so that a person must say what became of them. */
  byHandCount: number
}

interface Deps {
  db: Db
  clock: Clock
  onRecovery: OnRecovery
  protection: Protection
}

/**
 * The owner's word that something was not them: what is not sent is cancelled, sessions and the password end, and whoever
 * signs in only looks until the freeze ends. The link works once; null when it doesn't work.
 */
export async function stopAccount(
  { db, clock }: Omit<Deps, "onRecovery" | "protection">,
  { token, address }: { token: string; address: string },
): Promise<Stopped | null> {
  const userId = await ownerOfNotMeLink({ db, clock }, token)
  if (userId === null) return null
  const now = clock.now()
  return db.transaction().execute((tx) => stopOnce(tx, { userId, token, address }, now))
}

/** Owners press the button of the newest mail, and a thief enrols a factor, or renews the codes, before the rest. */
const DOUBTFUL_FACTOR_SECONDS = 86_400

/** A thief may have been paid there already. Longer than one waits for the money, shorter than most sellers' habits. */
const DOUBTFUL_DESTINATION_SECONDS = 30 * 86_400

/** A request holds the requester's row, too: one that came before is seen and cancelled, one that comes later is refused. */
async function stopOnce(
  tx: Tx,
  { userId, token, address }: { userId: string; token: string; address: string },
  now: Date,
): Promise<Stopped | null> {
  const user = await lockWithTeam(tx, userId)
  const writtenAt = await useNotMeLink(tx, token, now)
  if (user === null || writtenAt === null) return null
  const trustsFactorsUntil = secondsAfter(writtenAt, -DOUBTFUL_FACTOR_SECONDS)
  await freezeAccount(tx, { userId, address, trustsFactorsUntil }, now)
  await dropWaitingWords(tx, userId, now)
  await removeDoubtfulDestinations(tx, userId, { usedSince: secondsAfter(now, -DOUBTFUL_DESTINATION_SECONDS), now })
  await pauseRule(tx, { sellerId: userId, because: "frozen", failure: "" }, now)
  await dropEmailChange(tx, userId)
  await forgetDevices(tx, userId)
  await voidPassword(tx, userId)
  const owner = { id: userId, address }
  const team = await stopTeam(tx, { owner, since: trustsFactorsUntil }, now)
  const stopped = { ...team, ...(await cancelUnsent(tx, owner, now)) }
  await notifyOfFreeze(tx, { user, address, stopped }, now)
  return stopped
}

const reason = "O titular da conta avisou que não foi ele, antes do envio."

/**
 * Under the lock of each row, which a worker takes right before it sends: what it has marked is gone, everything else is
 * never sent.
 */
async function cancelUnsent(tx: Tx, owner: Actor, now: Date): Promise<Omit<Stopped, keyof TeamStopped>> {
  const stopped = { cancelledCount: 0, cancelledCents: noMoney, goneCount: 0, byHandCount: 0 }
  for (const withdrawal of await lockUnpaidOf(tx, owner.id)) {
    const kind = await stopOne(tx, { withdrawal, owner }, now)
    if (kind === "gone") stopped.goneCount += 1
    else if (kind === "by_hand") stopped.byHandCount += 1
    else {
      stopped.cancelledCount += 1
      stopped.cancelledCents = addCents(stopped.cancelledCents, withdrawal.amountCents)
    }
  }
  return stopped
}

async function stopOne(
  tx: Tx,
  { withdrawal, owner }: { withdrawal: Withdrawal; owner: Actor },
  now: Date,
): Promise<"cancelled" | "gone" | "by_hand"> {
  const { id, status, isPaidByHand, sendingAt } = withdrawal
  if (status === "approved" && isPaidByHand) return "by_hand"
  if (status !== "processing") {
    await returnUndecided(tx, withdrawal, owner, now)
    return "cancelled"
  }
  if (sendingAt !== null) return "gone"
  const refused = { state: "refused", endToEndId: null, amountCents: null, settledAt: null, reason } as const
  await recordPayoutOutcome(tx, id, refused, { now, by: owner })
  return "cancelled"
}

async function notifyOfFreeze(
  tx: Tx,
  { user, address, stopped }: { user: User; address: string; stopped: Stopped },
  now: Date,
): Promise<void> {
  const { byHandCount, goneCount, ...cancelled } = stopped
  const frozenAt = now.toISOString()
  const gone = { goneCount: goneCount + byHandCount }
  const notice = { kind: "account_frozen", frozenAt, address, ...cancelled, ...gone } as const
  await notifyOwner(tx, { userId: user.id, notice }, now)
  const reason = byHandCount === 0 ? saidByOwner : `${saidByOwner}. ${paidByHand}`
  const seller = { userId: user.id, sellerName: user.name }
  await notifyAdmins(tx, { notice: { kind: "withdrawals_frozen", ...seller, frozenAt, reason } }, now)
}

const saidByOwner = "O titular avisou que não foi ele quem mexeu na conta"

const paidByHand =
  "Há saque aprovado para pagamento manual: não pague. Confira no extrato do banco se já foi pago; se não foi, devolva o valor ao saldo"

interface Unfreezing {
  id: string
  admin: Actor
}

/**
 * Cancelled withdrawals stay cancelled, and new ones wait as after any change by an administrator. The first approval, when
 * another administrator must agree; null once it is unfrozen.
 */
export async function unfreezeAccount(
  { db, clock, ...rules }: Deps,
  input: Unfreezing,
): Promise<SecondApproval | null> {
  if (!isId(input.id)) throw new DomainError("user_not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => unfreeze(tx, { ...input, ...rules }, now))
}

async function unfreeze(
  tx: Tx,
  { id, admin, protection, onRecovery }: Unfreezing & Pick<Deps, "protection" | "onRecovery">,
  now: Date,
): Promise<SecondApproval | null> {
  const user = await lockAdminAnd(tx, admin.id, id)
  if (user === null) throw new DomainError("user_not_found")
  if (id === admin.id) throw new DomainError("own_account", { message: ownAccount })
  const frozenSince = (await findFrozen(tx, [id])).get(id)
  if (frozenSince === undefined) throw new DomainError("account_not_frozen")
  const changes = [{ field: "frozenSince", before: frozenSince.toISOString(), after: null }]
  const about = { act: "user.unfreeze", subjectId: id, subjectName: user.name, changes } as const
  const { waits } = await askSecondPerson(tx, { ...about, by: admin, protection }, now)
  if (waits !== null) return waits
  if (!(await endFreeze(tx, { userId: id, by: admin }, now))) throw new DomainError("account_not_frozen")
  await onRecovery(tx, id, now)
  return null
}

const ownAccount = "Você não pode liberar a sua própria conta. Peça a outro administrador."

/** Later requests wait by the moment that is marked here; what was requested or approved before waits from now on. */
export function delayAfterRecovery(protection: Protection): OnRecovery {
  return async (tx, userId, now) => {
    await markRecovered(tx, userId, now)
    await dropWaitingWords(tx, userId, now)
    const { recoveryHours } = await readHoldRules(tx, protection)
    if (recoveryHours > 0) await delayUnsent(tx, userId, { until: secondsAfter(now, recoveryHours * 3_600), now })
  }
}

/**
 * Drops what a person asked for as an administrator and nobody has agreed to yet, once their word doesn't count any more.
 * It doesn't count either where it is still there.
 */
async function dropWaitingWords(tx: Tx, userId: string, now: Date): Promise<void> {
  if ((await trustedApprovers(tx, now)).trusted.includes(userId)) return
  await dropApprovalsOf(tx, userId, now)
  await dropProposalsOf(tx, userId, now)
  await deleteWaitingWordsOf(tx, userId)
}

/**
 * A worker that has taken one marks it under the same lock right before it sends: what is marked may be at the bank and is
 * left alone, everything else waits.
 */
async function delayUnsent(tx: Tx, personId: string, { until, now }: { until: Date; now: Date }): Promise<void> {
  const unsent = (await lockUnpaidOf(tx, personId)).filter(({ sendingAt }) => sendingAt === null)
  if (unsent.length === 0) return
  const held: Withdrawal[] = []
  for (const { id, heldUntil, holdReasons } of unsent) {
    const later = heldUntil !== null && heldUntil > until ? heldUntil : until
    const reasons = JSON.stringify([...new Set([...holdReasons, "recovery"])])
    held.push(await updateWithdrawal(tx, id, { held_until: later, hold_reasons: reasons }))
  }
  await notifyAllOwners(tx, held.map(heldNotice), now)
  const sellerIds = held.map(({ sellerId }) => sellerId)
  const sellers = await findPeople(tx, [...new Set(sellerIds)])
  // Those that get a mail of every request need none of its hold.
  const isMailed = !(await readSetting(tx, "NOTIFY_ADMIN_ON_WITHDRAWAL"))
  for (const withdrawal of held) {
    await notifyAdmins(
      tx,
      {
        ...heldToCheckNotice(withdrawal, sellers.get(withdrawal.sellerId)?.name ?? ""),
        ...(!isMailed && { mail: null }),
      },
      now,
    )
  }
  await appendEvents(
    tx,
    "withdrawal.held",
    held.map(({ id }) => id),
    now,
  )
}
