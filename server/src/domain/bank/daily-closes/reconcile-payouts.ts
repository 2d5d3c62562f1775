import type { DifferenceProblem } from "@tilinta/contract/vocabulary/daily-close"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Tx } from "#db/transaction"
import { readPayoutsSeenUntil, savePayoutsSeenUntil } from "#domain/bank/psp-inbox/psp-connection"
import { beginLook, believableSeenUntil } from "#domain/bank/psp-inbox/seen-until"
import { recordUnreadable } from "#domain/bank/reconciliation/record-unreadable"
import { secondsAfter } from "#kit/clock"
import { invariant } from "#kit/invariant"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { recordPaidAfterRefusal, recordReturnedPayouts } from "#money/withdrawals/came-back"
import { findWithdrawalsOfPayouts } from "#money/withdrawals/operator-reads"
import { settleReportedPayouts } from "#money/withdrawals/pay"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { type ListedPayout, latestTime } from "#psp/psp"
import { endedIds, referenceOf } from "./collect-bank-day.ts"
import { type CloseDeps, type CloseDifference, comparableFrom } from "./daily-close.ts"
import {
  countDifferences,
  insertDaysOnce,
  insertDifferenceOnce,
  lockCloseOfDay,
  updateClose,
} from "./daily-closes-repository.ts"
import { notifyAdminsOfClose } from "./notify-admins-of-close.ts"

/** Payouts that end later are queried by id; those listed later still are found by the daily close. */
const OVERLAP_SECONDS = 3600
const AHEAD_SECONDS = 120

/**
 * Fetches the provider's payouts since the last run, with an overlap. Ours that ended are settled; unknown or
 * contradicting ones are never booked, but become a difference of their day, and an alarm.
 */
export async function reconcilePayouts(deps: CloseDeps): Promise<void> {
  const { db, psp } = deps
  if (psp.payouts === null) return
  const seenUntil = believableSeenUntil(deps, "payouts", await readPayoutsSeenUntil(db, psp.name))
  const endLook = beginLook(deps)
  const window = { from: secondsAfter(seenUntil, -OVERLAP_SECONDS), to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const listed of psp.payouts.list(window)) {
    await settleReportedPayouts(deps, endedIds(listed))
    await namePaidAfterRefusal(deps, await recordPaidAfterRefusal(deps, listed))
    await recordReturnedPayouts(deps, listed)
    await nameDifferences(deps, listed)
  }
  await recordUnreadable(deps)
  const seen = endLook()
  await db.transaction().execute((tx) => savePayoutsSeenUntil(tx, psp.name, seen))
}

/** It is booked and its seller has been told; the day's close shows it to the admins. */
async function namePaidAfterRefusal({ db, psp, clock }: CloseDeps, booked: readonly ListedPayout[]): Promise<void> {
  const now = clock.now()
  for (const payout of booked) {
    const found = { payout, ourCents: payout.amountCents, ourState: "rejected", problem: "other_state" } as const
    const difference = differenceOf(found, { now, isMended: true })
    await db.transaction().execute((tx) => recordDifference(tx, psp, difference, now))
  }
}

async function nameDifferences(deps: CloseDeps, listed: ListedPayout[]): Promise<void> {
  const ids = listed.flatMap(({ payoutId }) => payoutId ?? [])
  const ours = await findWithdrawalsOfPayouts(deps.db, ids)
  for (const payout of listed) {
    const known = payout.payoutId === null ? undefined : ours.get(payout.payoutId)
    const problem = problemOf(payout, known)
    if (problem === null) continue
    await nameDifference(deps, {
      payout,
      ourCents: known?.amountCents ?? null,
      ourState: known?.status ?? null,
      problem,
    })
  }
}

const isNeverPaid = {
  pending: true,
  approved: false,
  processing: false,
  completed: false,
  rejected: true,
  cancelled: true,
} as const satisfies Record<WithdrawalStatus, boolean>

/** An approved, unsent withdrawal adopts the bank's payout of its id: a restored backup looks like that. */
function problemOf({ state, amountCents }: ListedPayout, known: Withdrawal | undefined): DifferenceProblem | null {
  if (known === undefined) return state === "refused" ? null : "missing_with_us"
  if (amountCents !== null && amountCents !== known.amountCents) return "other_amount"
  const hasEndedOtherwise =
    (state === "completed" && isNeverPaid[known.status] && known.returnedCents === noMoney) ||
    (state === "refused" && known.status === "completed")
  return hasEndedOtherwise ? "other_state" : null
}

interface Found {
  payout: ListedPayout
  ourCents: Cents | null
  ourState: WithdrawalStatus | null
  problem: DifferenceProblem
}

function differenceOf(
  { payout, ...found }: Found,
  { now, isMended }: { now: Date; isMended: boolean },
): CloseDifference {
  return {
    ...found,
    kind: "payout",
    reference: referenceOf(payout),
    bankCents: payout.amountCents,
    bankState: payout.state,
    happenedAt: payout.settledAt ?? payout.requestedAt ?? now,
    isMended,
  }
}

async function nameDifference({ db, psp, clock, log }: CloseDeps, found: Found): Promise<void> {
  const now = clock.now()
  const difference = differenceOf(found, { now, isMended: false })
  const isNew = await db.transaction().execute((tx) => recordDifference(tx, psp, difference, now))
  if (!isNew) return
  const { reference, problem } = difference
  log.error({ alarm: "payout_differs", reference, problem }, "the bank's list of payouts differs from ours")
}

type Provider = Pick<CloseDeps["psp"], "name" | "label">

/** Runs under the day's lock, which its comparison takes too, so that the count matches the rows. */
async function recordDifference(tx: Tx, provider: Provider, difference: CloseDifference, now: Date): Promise<boolean> {
  const day = saoPauloDay(difference.happenedAt ?? now)
  await insertDaysOnce(tx, provider.name, [{ day, nextAttemptAt: comparableFrom(day) }])
  const close = await lockCloseOfDay(tx, provider.name, day)
  invariant(close !== null, `no row of ${day}`)
  if (!(await insertDifferenceOnce(tx, close.id, difference, now))) return false
  const { open, mended } = await countDifferences(tx, close.id)
  const counted = await updateClose(tx, close.id, { difference_count: open, mended_count: mended })
  await notifyAdminsOfClose(tx, counted, { providerLabel: provider.label, now })
  return true
}
