import type { Logger } from "pino"
import { readReceiptsSeenUntil, saveReceiptsSeenUntil, shareStampOffset } from "#bank/psp-inbox/connection"
import { beginPoll, believableSeenUntil } from "#bank/psp-inbox/follow-receipts"
import type { Db, LookupDb, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { bookPayments } from "#money/payments/book"
import { countPaymentsSince, findBookedIds } from "#money/payments/reads"
import { recordReportedRefunds } from "#money/refunds/reported"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { latestTime, type Psp, provenTime, type UnreadableEntry } from "#psp/psp"
import { insertUnreadableOnce, updateClosed } from "./table.ts"

/**
 * Most receipts are listed at once. A bank whose clock is behind stamps new receipts with past times, and the overlap
 * finds them: all of the last hour while they are few, else in the first run of every ten minutes.
 */
const OVERLAP_SECONDS = 30
const LONG_OVERLAP_SECONDS = 1800
const LONGEST_OVERLAP_SECONDS = 3600
const FEW_PAYMENTS = 100
const TURN_SECONDS = 600
/** The providers' clocks may run ahead of ours. */
const AHEAD_SECONDS = 120

interface Deps {
  db: LookupDb
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Fetches all receipts since the last run, with an overlap, and books those that no webhook reported. This is the rule;
 * webhooks only make it faster.
 */
export async function reconcileReceipts(deps: Deps): Promise<void> {
  await shareStampOffset(deps.db, deps.psp)
  const seenUntil = believableSeenUntil(deps, "receipts", await readReceiptsSeenUntil(deps.db, deps.psp.name))
  const endPoll = beginPoll(deps)
  const from = secondsAfter(seenUntil, -(await overlapSeconds(deps, seenUntil)))
  const window = { from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const receipts of deps.psp.listReceipts(window)) {
    const booked = await findBookedIds(
      deps.db,
      receipts.map((receipt) => receipt.endToEndId),
    )
    const missing = receipts.filter((receipt) => !booked.has(receipt.endToEndId))
    await bookPayments(deps, missing)
    await recordReportedRefunds(deps, receipts)
  }
  await recordUnreadable(deps)
  const seen = endPoll()
  await deps.db.transaction().execute((tx) => saveReceiptsSeenUntil(tx, deps.psp.name, seen))
}

async function overlapSeconds(deps: Deps, seenUntil: Date): Promise<number> {
  const since = secondsAfter(seenUntil, -LONGEST_OVERLAP_SECONDS)
  const count = await countPaymentsSince(deps.db, { provider: deps.psp.name, since, most: FEW_PAYMENTS })
  if (count < FEW_PAYMENTS) return LONGEST_OVERLAP_SECONDS
  return isFirstOfTurn(seenUntil, provenTime(deps)) ? LONG_OVERLAP_SECONDS : OVERLAP_SECONDS
}

/** The first run in each ten minutes; derived from stored state, so that it holds across nodes and restarts. */
function isFirstOfTurn(seenUntil: Date, now: Date): boolean {
  const turnOf = (moment: Date) => Math.floor(moment.getTime() / (TURN_SECONDS * 1000))
  return turnOf(seenUntil) !== turnOf(now)
}

const DAY_SECONDS = 86_400
/**
 * Most refunds end within days. The daily close queries all payments that may still be refunded, which are more and
 * more.
 */
const RECENT_DAYS = 7

/**
 * Fetches the refunds of recent payments: a bank may begin one at any time after the payment's own reconciliation, and
 * its webhook may be lost.
 */
export async function reconcileRefunds(deps: { db: Db; psp: Psp; clock: Clock; log: Logger }): Promise<void> {
  if (deps.psp.listRefundedReceipts === null) return
  const from = secondsAfter(provenTime(deps), -RECENT_DAYS * DAY_SECONDS)
  const window = { from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const receipts of deps.psp.listRefundedReceipts(window)) {
    await bookPayments(deps, receipts)
    await recordReportedRefunds(deps, receipts)
  }
}

/** Stores what the provider listed and we could not read: people see it, and the daily close counts it. */
export async function recordUnreadable({ db, psp, clock }: { db: Db; psp: Psp; clock: Clock }): Promise<void> {
  const entries = psp.takeUnreadable()
  if (entries.length === 0) return
  const seen = { provider: psp.name, entries, now: clock.now() }
  await db.transaction().execute((tx) => insertUnreadableOnce(tx, seen))
}

export interface CloseUnreadable {
  id: string
  admin: Actor
  reason: string
}

/** An admin has looked it up at the bank. It moves no money. */
export async function closeUnreadableEntry(
  tx: Tx,
  { id, admin, reason }: CloseUnreadable,
  now: Date,
): Promise<UnreadableEntry & { provider: string }> {
  const entry = isId(id) ? await updateClosed(tx, { id, adminId: admin.id, reason, now }) : null
  if (entry === null) throw new DomainError("unreadable_entry_not_found")
  const { provider, kind, reference } = entry
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "unreadable_entry.closed",
    entity: "unreadable_entry",
    entityId: id,
    before: null,
    after: { provider, kind, reference, reason },
  })
  return entry
}
