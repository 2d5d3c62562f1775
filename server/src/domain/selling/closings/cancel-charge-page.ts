import type { Db, Tx } from "#db/transaction"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"
import { markPageCancelled, markPageDeleted, type OwnPage } from "#domain/selling/charge-pages/end-charge-page"
import { closeOpenCharges } from "#domain/selling/charges/close-open-charges"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"

/** Final. Its open Pix codes can't be paid any more; money already on its way is still booked. */
export async function cancelChargePage(deps: { db: Db; clock: Clock }, page: OwnPage): Promise<ChargePage> {
  if (!isId(page.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => closePage(tx, page, now))
}

async function closePage(tx: Tx, page: OwnPage, now: Date): Promise<ChargePage> {
  const cancelled = await markPageCancelled(tx, page, now)
  await closeOpenCharges(tx, { pageId: page.id, now })
  return cancelled
}

/** Hides the page and its links; its transactions stay. */
export async function deleteChargePage(deps: { db: Db; clock: Clock }, page: OwnPage): Promise<void> {
  if (!isId(page.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  await deps.db.transaction().execute((tx) => hidePage(tx, page, now))
}

async function hidePage(tx: Tx, page: OwnPage, now: Date): Promise<void> {
  await markPageDeleted(tx, page, now)
  await closeOpenCharges(tx, { pageId: page.id, now })
}
