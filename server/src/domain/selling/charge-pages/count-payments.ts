import type { Tx } from "#db/transaction"
import {
  type CountedPage,
  lockPagesOfTxids,
  type PageOfPayments,
  updatePaymentCounts,
} from "./payment-counts-repository.ts"

export type { CountedPage } from "./payment-counts-repository.ts"

/** The pages of a batch of payments, locked in the order that every writer keeps. */
export async function lockPagesOfPayments(tx: Tx, txids: string[]): Promise<Map<string, PageOfPayments>> {
  if (txids.length === 0) return new Map()
  const pages = await lockPagesOfTxids(tx, txids)
  return new Map(pages.map((page) => [page.id, page]))
}

/** Those that the coming payments could complete. */
export function pagesThatMayFill(pages: ReadonlyMap<string, PageOfPayments>): string[] {
  return [...pages.values()]
    .filter((page) => page.status === "active" && page.maxPayments !== null)
    .filter((page) => page.paymentsCount + page.comingCount >= (page.maxPayments ?? 0))
    .map((page) => page.id)
}

/** Stores the counts and states that `afterPayment` worked out. */
export async function savePaymentCounts(tx: Tx, pages: CountedPage[], now: Date): Promise<void> {
  await updatePaymentCounts(tx, pages, now)
}

/** One payment more; an active page is completed by the last one it takes. */
export function afterPayment(page: CountedPage): CountedPage {
  const paymentsCount = page.paymentsCount + 1
  const isFull = page.maxPayments !== null && paymentsCount >= page.maxPayments
  return { ...page, paymentsCount, status: page.status === "active" && isFull ? "completed" : page.status }
}

/** A page that took all its payments before this one. */
export function tookAllPayments(page: CountedPage): boolean {
  return page.maxPayments !== null && page.paymentsCount >= page.maxPayments
}
