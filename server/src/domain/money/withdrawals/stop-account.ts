import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { distrustDestinations } from "#domain/money/destinations/distrust-destinations"
import { freezeAccount } from "#domain/people/freezes/freeze-account"
import { ownerOfNotMeLink, useNotMeLink } from "#domain/people/freezes/not-me-links"
import { dropEmailChange } from "#domain/people/users/begin-email-change"
import { forgetDevices } from "#domain/people/users/known-device"
import { lockAccount } from "#domain/people/users/lock-account"
import type { User } from "#domain/people/users/user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { tellAdmins, tellOwner } from "#domain/platform/mails/tell-owner"
import { type Clock, secondsAfter } from "#kit/clock"
import { returnUndecided } from "./cancel-withdrawal.ts"
import { recordPayoutOutcome } from "./settle-payout.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { lockUnpaidOf } from "./withdrawals-repository.ts"

interface Stopped {
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
}

/**
 * The owner's word that something was not them: what is not sent is cancelled, sessions end, and nothing more is paid out
 * until the freeze ends. The link works once; null when it doesn't work.
 */
export async function stopAccount(
  { db, clock }: Deps,
  { token, address }: { token: string; address: string },
): Promise<Stopped | null> {
  const userId = await ownerOfNotMeLink({ db, clock }, token)
  if (userId === null) return null
  const now = clock.now()
  return db.transaction().execute((tx) => stopOnce(tx, { userId, token, address }, now))
}

/** Owners press the button of the newest mail, and a thief enrols a factor, or renews the codes, before the rest. */
const DOUBTFUL_FACTOR_SECONDS = 86_400

/** A request holds the user's row, too: one that came before is seen and cancelled, one that comes later is refused. */
async function stopOnce(
  tx: Tx,
  { userId, token, address }: { userId: string; token: string; address: string },
  now: Date,
): Promise<Stopped | null> {
  const user = await lockAccount(tx, userId)
  const writtenAt = await useNotMeLink(tx, token, now)
  if (user === null || writtenAt === null) return null
  const trustsFactorsUntil = secondsAfter(writtenAt, -DOUBTFUL_FACTOR_SECONDS)
  await freezeAccount(tx, { userId, address, trustsFactorsUntil }, now)
  await distrustDestinations(tx, userId, now)
  await dropEmailChange(tx, userId)
  await forgetDevices(tx, userId)
  const stopped = await cancelUnsent(tx, { id: userId, address }, now)
  await tell(tx, { user, address, stopped }, now)
  return stopped
}

const reason = "O titular da conta avisou que não foi ele, antes do envio."

/**
 * Under the lock of each row, which a worker takes right before it sends: what it has marked is gone, everything else is
 * never sent.
 */
async function cancelUnsent(tx: Tx, owner: Actor, now: Date): Promise<Stopped> {
  const stopped: Stopped = { cancelledCount: 0, cancelledCents: noMoney, goneCount: 0, byHandCount: 0 }
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

async function tell(
  tx: Tx,
  { user, address, stopped }: { user: User; address: string; stopped: Stopped },
  now: Date,
): Promise<void> {
  const { byHandCount, goneCount, ...cancelled } = stopped
  const frozenAt = now.toISOString()
  const gone = { goneCount: goneCount + byHandCount }
  const notice = { kind: "account_frozen", frozenAt, address, ...cancelled, ...gone } as const
  await tellOwner(tx, { userId: user.id, notice }, now)
  const reason = byHandCount === 0 ? saidByOwner : `${saidByOwner}. ${paidByHand}`
  const seller = { userId: user.id, sellerName: user.name }
  await tellAdmins(tx, { notice: { kind: "withdrawals_frozen", ...seller, frozenAt, reason } }, now)
}

const saidByOwner = "O titular avisou que não foi ele quem mexeu na conta"
const paidByHand = "Há saque aprovado para pagamento manual: não pague, devolva o valor ao saldo"
