import { isPayablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { DomainError } from "#kit/domain-error"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { lockChargePage, markChargePageDeleted, updateChargePageRow } from "./charge-pages-repository.ts"
import { chargePageOwnedBy } from "./find-charge-page.ts"
import { recordProgram } from "./record-program.ts"
import { releaseReference } from "./save-order.ts"

export interface OwnPage {
  id: string
  sellerId: string
  /** The API key that acts; absent for a person. */
  program?: Actor | null
}

/**
 * Call these through `closings/cancel-charge-page`, which ends the page's Pix codes too.
 * @throws charge_page_not_found, charge_page_forbidden, charge_page_not_active
 */
export async function markPageCancelled(tx: Tx, { id, sellerId, program }: OwnPage, now: Date): Promise<ChargePage> {
  const page = chargePageOwnedBy(await lockChargePage(tx, id), sellerId)
  if (!isPayablePage(statusAt(page, now))) throw new DomainError("charge_page_not_active")
  const cancelled: ChargePage = { ...page, status: "cancelled", updatedAt: now }
  await updateChargePageRow(tx, cancelled)
  await recordProgram(tx, program, { action: "cancelled", before: page, after: cancelled }, now)
  await appendEvents(tx, "page.updated", [id], now)
  return cancelled
}

export async function markPageDeleted(tx: Tx, { id, sellerId, program }: OwnPage, now: Date): Promise<void> {
  const page = chargePageOwnedBy(await lockChargePage(tx, id), sellerId)
  // While it is still shown: the event tells how it was.
  await appendEvents(tx, "page.deleted", [id], now)
  await markChargePageDeleted(tx, id, now)
  await recordProgram(tx, program, { action: "deleted", before: page, after: null }, now)
  if (page.paymentsCount === 0) await releaseReference(tx, id)
}
