import { isPayablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Tx } from "#db/transaction"
import {
  addPaymentCounts,
  type CountedPage,
  lockPagesOfTxids,
  type PageOfPayments,
  startCountingAtOnce,
} from "./payment-counts-repository.ts"

export type { CountedPage } from "./payment-counts-repository.ts"

/**
 * Locks a batch's pages that have or had a limit, in the order of ids, like every writer. Payments of the others share
 * no row: they are counted when they are folded.
 */
export async function lockPagesOfPayments(tx: Tx, txids: string[]): Promise<Map<string, PageOfPayments>> {
  if (txids.length === 0) return new Map()
  const pages = await lockPagesOfTxids(tx, txids)
  return new Map(pages.map((page) => [page.id, page]))
}

/** Pages that the batch's payments could complete. */
export function pagesThatMayFill(pages: ReadonlyMap<string, PageOfPayments>): string[] {
  return [...pages.values()]
    .filter((page) => isPayablePage(page.status) && page.maxPayments !== null)
    .filter((page) => page.paymentsCount + page.comingCount >= (page.maxPayments ?? 0))
    .map((page) => page.id)
}

/** Stores the counts and states computed by `afterPayment`. */
export async function savePaymentCounts(tx: Tx, pages: CountedPage[], now: Date): Promise<void> {
  await addPaymentCounts(tx, pages, now)
}

/** Before the page gets a limit, in a transaction of its own: bookings under way took it for a page without one. */
export async function countPageAtOnce(tx: Tx, page: { id: string; sellerId: string }): Promise<void> {
  await startCountingAtOnce(tx, page)
}

/** Adds one payment; the last one that an active page takes completes it. */
export function afterPayment(page: CountedPage): CountedPage {
  const paymentsCount = page.paymentsCount + 1
  const isFull = page.maxPayments !== null && paymentsCount >= page.maxPayments
  return {
    ...page,
    paymentsCount,
    added: page.added + 1,
    status: isPayablePage(page.status) && isFull ? "completed" : page.status,
  }
}

/** True when the page had all its payments before this one. */
export function tookAllPayments(page: CountedPage): boolean {
  return page.maxPayments !== null && page.paymentsCount >= page.maxPayments
}
