import type { Tx } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"
import { lockChargePages, updatePaymentCounts } from "./charge-pages-repository.ts"

/** The pages of a batch of payments, locked in the order that every writer keeps. */
export async function lockPagesOfPayments(tx: Tx, pageIds: string[]): Promise<Map<string, ChargePage>> {
  const pages = await lockChargePages(tx, [...new Set(pageIds)])
  return new Map(pages.map((page) => [page.id, page]))
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
