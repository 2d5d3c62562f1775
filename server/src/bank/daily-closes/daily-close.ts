import type { Readable } from "node:stream"
import type { CloseStatus } from "@tilinta/contract/vocabulary/books"
import { noMoney } from "@tilinta/contract/vocabulary/money"
import { type CloseUnreadable, closeUnreadableEntry } from "#bank/reconciliation/reconcile"
import type { Db, Tx } from "#db/transaction"
import type { Clock, Day } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { findActiveAdminIds } from "#people/users/reads"
import { type ExportDeps, type ExportTo, startExport } from "#platform/audit/export"
import { enqueueMails } from "#platform/mails/notify-owner"
import {
  countDifferences,
  differencesForExport,
  findBankBalances,
  findClose,
  findTotals,
  listCloseRows,
  listDifferenceRows,
} from "./reads.ts"
import type { BankBalance, CloseDifference, CloseTotals, DailyClose } from "./rules.ts"
import { lockClosesNaming, markMended, updateClose } from "./table.ts"

export interface ListedClose extends DailyClose {
  status: CloseStatus
  totals: CloseTotals[]
  balance: BankBalance | null
}

/** Newest day first. */
export async function listDailyCloses(
  db: Db,
  range: { offset: number; limit: number },
): Promise<{ closes: ListedClose[]; count: number }> {
  const { closes, count } = await listCloseRows(db, range)
  const totals = await findTotals(
    db,
    closes.map(({ id }) => id),
  )
  const balances = await findBankBalances(
    db,
    closes.map(({ id }) => id),
  )
  return {
    closes: closes.map((close) => listed(close, totals.get(close.id) ?? [], balances.get(close.id) ?? null)),
    count,
  }
}

/** Includes the first differences; an export has all of them. */
export async function getDailyClose(
  db: Db,
  id: string,
  most: number,
): Promise<ListedClose & { differences: CloseDifference[] }> {
  const close = isId(id) ? await findClose(db, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const [totals, differences, balances] = await Promise.all([
    findTotals(db, [id]),
    listDifferenceRows(db, id, most),
    findBankBalances(db, [id]),
  ])
  return { ...listed(close, totals.get(id) ?? [], balances.get(id) ?? null), differences }
}

function listed(close: DailyClose, totals: CloseTotals[], balance: BankBalance | null): ListedClose {
  return { ...close, totals, balance, status: statusOf(close, balance) }
}

/** The earlier result stands until a later comparison replaces it. */
function statusOf(close: DailyClose, balance: BankBalance | null): CloseStatus {
  const { closedAt, comparisons, attempts, lastError, differenceCount } = close
  if (lastError !== null) return "failed"
  if (attempts > 0) return "checking"
  if (differenceCount > 0) return "differences"
  if (closedAt === null || comparisons === 0) return "waiting"
  if (balance === null || balance.differenceCents === noMoney) return "ok"
  return balance.readAgainUntil === null ? "differences" : "checking"
}

/** All differences of one day. */
export async function exportDifferences(
  deps: ExportDeps,
  id: string,
  { format, actor }: ExportTo,
): Promise<{ day: Day; content: Readable }> {
  const close = isId(id) ? await findClose(deps.db, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const filter = { day: close.day, provider: close.provider }
  const table = differencesForExport(id)
  const input = { action: "differences.exported", audience: "admin", actor, filter, format, table } as const
  return { day: close.day, content: await startExport(deps, input) }
}

/** Closes an unreadable entry. The daily closes that name it keep it, as settled. */
export async function closeUnreadable(
  { db, clock }: { db: Db; clock: Clock },
  closing: CloseUnreadable,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => close(tx, closing, now))
}

async function close(tx: Tx, closing: CloseUnreadable, now: Date): Promise<void> {
  const entry = await closeUnreadableEntry(tx, closing, now)
  for (const closeId of await lockClosesNaming(tx, entry)) {
    await markMended(tx, closeId, entry)
    const { open, mended } = await countDifferences(tx, closeId)
    await updateClose(tx, closeId, { difference_count: open, mended_count: mended })
  }
}

interface NoticeContext {
  providerLabel: string
  now: Date
}

/** One mail per active admin and number of differences, so an unchanged day causes no further mail. */
export async function notifyAdminsOfClose(
  tx: Tx,
  close: DailyClose,
  { providerLabel, now }: NoticeContext,
): Promise<void> {
  const { id, day, differenceCount } = close
  if (differenceCount === 0) return
  const content = {
    kind: "daily_close_differs",
    closeId: id,
    day,
    provider: providerLabel,
    count: differenceCount,
  } as const
  const admins = await findActiveAdminIds(tx)
  const mails = admins.map((userId) => ({
    userId,
    content,
    dedupeKey: `daily-close:${id}:${differenceCount}:${userId}`,
  }))
  await enqueueMails(tx, mails, now)
}

interface Differing {
  close: DailyClose
  balance: BankBalance
}

/** One mail per active admin, day and difference. */
export async function notifyAdminsOfBalance(
  tx: Tx,
  { close, balance }: Differing,
  { providerLabel, now }: NoticeContext,
) {
  const { bankCents, ourCents, differenceCents } = balance
  const content = {
    kind: "bank_balance_differs",
    closeId: close.id,
    day: close.day,
    provider: providerLabel,
    bankCents,
    ourCents,
    differenceCents,
  } as const
  const admins = await findActiveAdminIds(tx)
  const mails = admins.map((userId) => ({
    userId,
    content,
    dedupeKey: `bank-balance:${close.id}:${differenceCents}:${userId}`,
  }))
  await enqueueMails(tx, mails, now)
}

export function alarmOfBalance(
  log: Logger,
  { close: { day, provider }, balance: { differenceCents } }: Differing,
): void {
  const facts = { day, provider, differenceCents, alarm: "bank_balance_differs" }
  log.error(facts, "the bank's balance is not that of our account")
}
