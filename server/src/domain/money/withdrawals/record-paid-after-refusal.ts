import { noMoney } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { postDrawing } from "#domain/money/reserves/post-drawing"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { type Clock, secondsAfter } from "#kit/clock"
import { type ListedPayout, type Psp, PspError } from "#psp/psp"
import { holdForReturn } from "./hold-for-return.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { stepNotice } from "./withdrawal-notices.ts"
import { paidAfterRefusalPostings } from "./withdrawal-postings.ts"
import { findByPayoutIds, findSettledAsNotPaid, lockWithdrawal, updateWithdrawal } from "./withdrawals-repository.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

type Reported = Omit<ListedPayout, "requestedAt">

const explanation =
  "O banco pagou este saque depois de ele ter sido dado como não pago: o valor, que tinha voltado ao saldo, saiu de novo."

/**
 * Books payouts that the provider paid although they were taken as not paid, by its own word or by a person's. Returns
 * those that were booked now.
 */
export async function recordPaidAfterRefusal<Payout extends Reported>(
  deps: Deps,
  reported: readonly Payout[],
): Promise<Payout[]> {
  const paid = new Map(
    reported.flatMap((payout) =>
      payout.payoutId !== null && payout.state === "completed" ? [[payout.payoutId, payout] as const] : [],
    ),
  )
  const booked: Payout[] = []
  for (const withdrawal of await findByPayoutIds(deps.db, [...paid.keys()])) {
    const payout = paid.get(withdrawal.payoutId ?? "")
    if (payout !== undefined && (await book(deps, withdrawal, payout))) booked.push(payout)
  }
  return booked
}

/** Asks about those that were taken as not paid. Returns those that could not be asked about. */
export async function askAboutRefusedPayouts(deps: Deps, payoutIds: readonly string[]): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const withdrawal of await findByPayoutIds(deps.db, [...payoutIds])) {
    const { payoutId } = withdrawal
    if (payoutId === null || !wasTakenAsNotPaid(withdrawal, deps.psp.name)) continue
    try {
      const payout = await deps.psp.payouts?.find(payoutId)
      if (payout) await recordPaidAfterRefusal(deps, [{ ...payout, payoutId }])
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      failed.add(payoutId)
    }
  }
  return failed
}

const ASKED_ABOUT_DAYS = 95

/** A bank that didn't answer for a day may list the payout by its old day, which nobody reads any more. */
export async function askAboutSettledAsNotPaid(deps: Deps): Promise<void> {
  const since = secondsAfter(deps.clock.now(), -ASKED_ABOUT_DAYS * 86_400)
  await askAboutRefusedPayouts(deps, await findSettledAsNotPaid(deps.db, { provider: deps.psp.name, since }))
}

/** It was handed over, and none of its money came back from a receiver. */
function wasTakenAsNotPaid({ status, provider, sentAt, returnedCents }: Withdrawal, bank: string): boolean {
  return status === "rejected" && provider === bank && sentAt !== null && returnedCents === noMoney
}

/** False when nothing moved. */
async function book(deps: Deps, withdrawal: Withdrawal, payout: Reported): Promise<boolean> {
  const { db, psp, clock, log } = deps
  const { id, amountCents } = withdrawal
  if (!wasTakenAsNotPaid(withdrawal, psp.name) || (payout.amountCents ?? amountCents) !== amountCents) return false
  const now = clock.now()
  const isNew = await db.transaction().execute((tx) => bookOnce(tx, { id, payout, bank: psp.name }, now))
  if (isNew) log.error({ alarm: "refused_payout_paid", withdrawalId: id }, "a payout taken as not paid was paid")
  return isNew
}

interface Paid {
  id: string
  payout: Reported
  bank: string
}

async function bookOnce(tx: Tx, { id, payout, bank }: Paid, now: Date): Promise<boolean> {
  const refused = await lockWithdrawal(tx, id)
  if (refused === null || !wasTakenAsNotPaid(refused, bank)) return false
  await holdForReturn(tx, refused)
  const paid = await updateWithdrawal(tx, id, {
    status: "completed",
    paid_after_refusal_at: now,
    processed_at: now,
    settled_at: payout.settledAt ?? now,
    end_to_end_id: payout.endToEndId,
    failure_reason: null,
    admin_notes: [refused.adminNotes, explanation].filter((note) => note !== "").join("\n"),
  })
  await postDrawing(tx, [paidAfterRefusalPostings(paid, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.paid_after_all", refused, paid, null, now))
  await tellOwner(tx, stepNotice(paid, "completed", now), now)
  await appendEvents(tx, "withdrawal.completed", [id], now)
  return true
}
