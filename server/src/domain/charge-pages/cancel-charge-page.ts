import type { Db, Tx } from "#db/transaction"
import { closeOpenCharges } from "#domain/charges/close-open-charges"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { lockChargePage, markChargePageDeleted, updateChargePageRow } from "./charge-pages-repository.ts"
import { ownedBy } from "./find-charge-page.ts"

interface Which {
  id: string
  sellerId: string
}

/** Final. Its open Pix codes can't be paid any more; money on its way all the same is still booked. */
export async function cancelChargePage(deps: { db: Db; clock: Clock }, which: Which): Promise<ChargePage> {
  if (!isId(which.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => closeChargePage(tx, which, now))
}

async function closeChargePage(tx: Tx, { id, sellerId }: Which, now: Date): Promise<ChargePage> {
  const page = ownedBy(await lockChargePage(tx, id), sellerId)
  if (statusAt(page, now) !== "active") throw new DomainError("charge_page_not_active")
  const cancelled: ChargePage = { ...page, status: "cancelled", updatedAt: now }
  await closeOpenCharges(tx, { pageId: id, now })
  await updateChargePageRow(tx, cancelled)
  return cancelled
}

/** Hides the page and its links; its transactions stay. */
export async function deleteChargePage(deps: { db: Db; clock: Clock }, which: Which): Promise<void> {
  if (!isId(which.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  await deps.db.transaction().execute((tx) => hideChargePage(tx, which, now))
}

async function hideChargePage(tx: Tx, { id, sellerId }: Which, now: Date): Promise<void> {
  ownedBy(await lockChargePage(tx, id), sellerId)
  await closeOpenCharges(tx, { pageId: id, now })
  await markChargePageDeleted(tx, id, now)
}
