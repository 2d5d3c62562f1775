import type { Tx } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"
import { lockChargePages, updatePaymentCounts } from "./charge-pages-repository.ts"

/** The pages of a batch of payments, locked in the order that every writer keeps. */
export async function lockPagesOfPayments(tx: Tx, pageIds: string[]): Promise<Map<string, ChargePage>> {
  const pages = await lockChargePages(tx, [...new Set(pageIds)])
  return new Map(pages.map((page) => [page.id, page]))
}

/** Those that this many payments could complete; `pageIds` names a page once for each of its payments. */
export function pagesThatMayFill(pageIds: string[], pages: ReadonlyMap<string, ChargePage>): string[] {
  const coming = new Map<string, number>()
  for (const id of pageIds) coming.set(id, (coming.get(id) ?? 0) + 1)
  return [...pages.values()]
    .filter((page) => page.status === "active" && page.maxPayments !== null)
    .filter((page) => page.paymentsCount + (coming.get(page.id) ?? 0) >= (page.maxPayments ?? 0))
    .map((page) => page.id)
}

/** Stores the counts and states that `afterPayment` worked out. */
export async function savePaymentCounts(tx: Tx, pages: ChargePage[], now: Date): Promise<void> {
  await updatePaymentCounts(tx, pages, now)
}

/** One payment more; an active page is completed by the last one it takes. */
export function afterPayment(page: ChargePage): ChargePage {
  const paymentsCount = page.paymentsCount + 1
  const isFull = page.maxPayments !== null && paymentsCount >= page.maxPayments
  return { ...page, paymentsCount, status: page.status === "active" && isFull ? "completed" : page.status }
}

/** A page that took all its payments before this one. */
export function tookAllPayments(page: ChargePage): boolean {
  return page.maxPayments !== null && page.paymentsCount >= page.maxPayments
}
