import type { PageReportReason } from "@tilinta/contract/vocabulary/page-reports"
import type { Tx } from "#db/transaction"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { getTitle, lockChargePages, updateSuspension } from "./charge-pages-repository.ts"

/** Keeps any page as it is until the end of the transaction, also a deleted one, and returns its title. */
export async function lockAnyPage(tx: Tx, id: string): Promise<string> {
  await lockChargePages(tx, [id])
  return getTitle(tx, id)
}

/**
 * Keeps payers away, also from a page that its seller has deleted, which has no event then. Call it under the page's lock
 * through `page-reports/decide-page-report`, which ends the page's Pix codes too.
 */
export async function markPageSuspended(tx: Tx, id: string, reason: PageReportReason, now: Date): Promise<void> {
  await updateSuspension(tx, id, { since: now, reason }, now)
  await appendEvents(tx, "page.updated", [id], now)
}

/** The page takes payments again, if it is active. Call it under the page's lock. */
export async function markPageUnsuspended(tx: Tx, id: string, now: Date): Promise<void> {
  await updateSuspension(tx, id, null, now)
  await appendEvents(tx, "page.updated", [id], now)
}
