import { invoiceStatusOn } from "@tilinta/contract/vocabulary/invoices"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, saoPauloHour, type Times, timesOf } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { type Psp, provenTimes } from "#psp/psp"
import { lockPagesOfCharges, markInvoicePagesExpired } from "#selling/charge-pages/change"
import { closeOpenCharges } from "#selling/charges/end"
import {
  changeInvoice,
  endInvoice,
  expireLocked,
  type InvoiceChanges,
  type OwnInvoice,
  publishOverdue,
} from "#selling/invoices/change"
import { getOwnInvoice } from "#selling/invoices/create"
import { findOverInvoices } from "#selling/invoices/reads"
import { type Invoice, isDebitUnderWay } from "#selling/invoices/rules"

interface Deps {
  db: Db
  clock: Clock
}

/**
 * The code of the day ends, because nobody may pay outdated terms; the link stays. So does a code of its whole life, whose bank is
 * told the new terms by `money/payments/due-codes`.
 */
export async function updateInvoice(
  deps: Deps & { protection: Protection },
  own: OwnInvoice,
  changes: InvoiceChanges,
): Promise<Invoice> {
  await refuseMisleading(deps, { userId: own.seller.id, texts: { description: changes.description } })
  const times = timesOf(deps.clock)
  return deps.db.transaction().execute((tx) => change(tx, own, changes, times))
}

async function change(tx: Tx, own: OwnInvoice, changes: InvoiceChanges, times: Times): Promise<Invoice> {
  const { pageId, mode, isReopened } = await changeInvoice(tx, own, changes, times)
  if (mode === "daily" || isReopened) await closeOpenCharges(tx, { pageId, now: times.now })
  return getOwnInvoice(tx, { id: own.id, sellerId: own.seller.id })
}

/** Final. Money that was faster is still booked, and pays it. */
export async function cancelInvoice({ db, clock }: Deps, own: OwnInvoice): Promise<Invoice> {
  const end = { status: "cancelled", settledFor: null } as const
  return db.transaction().execute((tx) => endAndClose(tx, own, end, timesOf(clock)))
}

/** Nothing is booked: the money came another way. */
export async function settleInvoiceOutside({ db, clock }: Deps, own: OwnInvoice, reason: string): Promise<Invoice> {
  const end = { status: "settled_outside", settledFor: reason } as const
  return db.transaction().execute((tx) => endAndClose(tx, own, end, timesOf(clock)))
}

/** Those of these that are still to be paid; what is paid meanwhile, or debited, stays so. Pages are locked in one order, before any invoice. */
export async function cancelOpenInvoices(
  tx: Tx,
  { seller, invoices }: { seller: OwnInvoice["seller"]; invoices: readonly Pick<Invoice, "id" | "pageId">[] },
  times: Times,
): Promise<void> {
  await lockPagesOfCharges(
    tx,
    invoices.map(({ pageId }) => pageId),
  )
  for (const { id } of invoices) {
    const invoice = await getOwnInvoice(tx, { id, sellerId: seller.id })
    if (invoiceStatusOn(invoice, saoPauloDay(times.due)) !== "open" || isDebitUnderWay(invoice, times.due)) continue
    await endAndClose(tx, { id, seller }, { status: "cancelled", settledFor: null }, times)
  }
}

async function endAndClose(
  tx: Tx,
  own: OwnInvoice,
  end: Parameters<typeof endInvoice>[2],
  times: Times,
): Promise<Invoice> {
  const { pageId } = await endInvoice(tx, own, end, times)
  await closeOpenCharges(tx, { pageId, now: times.now })
  return getOwnInvoice(tx, { id: own.id, sellerId: own.seller.id })
}

const BATCH = 500

/** Marks open invoices after their last day; they read expired before. A clock that is ahead must not end what can still be paid. */
export async function expireInvoices({ db, ...deps }: Deps & { psp: Pick<Psp, "bankTime"> }): Promise<void> {
  const times = provenTimes(deps)
  for (;;) {
    const marked = await db.transaction().execute((tx) => expire(tx, times))
    if (marked < BATCH) return
  }
}

async function expire(tx: Tx, times: Times): Promise<number> {
  const { now, due } = times
  const over = await findOverInvoices(tx, saoPauloDay(due), BATCH)
  const pageIds = over.map(({ pageId }) => pageId)
  await lockPagesOfCharges(tx, pageIds)
  const ids = over.map(({ id }) => id)
  const expired = await expireLocked(tx, ids, times)
  await markInvoicePagesExpired(tx, expired, now)
  for (const pageId of expired) await closeOpenCharges(tx, { pageId, now })
  return over.length
}

/** Programs hear of it in the morning, when their people can do something about it. */
const PUBLISHED_FROM_HOUR = 9

/** Publishes once each invoice that was not paid in time. */
export async function publishOverdueInvoices({ db, clock }: Deps): Promise<void> {
  const times = timesOf(clock)
  if (saoPauloHour(times.due) < PUBLISHED_FROM_HOUR) return
  for (;;) {
    const published = await db.transaction().execute((tx) => publishOverdue(tx, times, BATCH))
    if (published < BATCH) return
  }
}
