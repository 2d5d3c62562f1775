import type { Db, Tx } from "#db/transaction"
import { refuseMisleading } from "#domain/people/users/refuse-misleading"
import { changeChargePage, countPageAtOnce, type PageChange } from "#domain/selling/charge-pages/change-charge-page"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"
import { closeOpenCharges } from "#domain/selling/charges/close-open-charges"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/protection"

/** A changed amount or an earlier end closes the page's open Pix codes, because nobody may pay outdated terms. */
export async function updateChargePage(
  deps: { db: Db; clock: Clock; protection: Protection },
  { id, sellerId, changes, program }: Omit<PageChange, "now">,
): Promise<ChargePage> {
  if (!isId(id)) throw new DomainError("charge_page_not_found")
  const { title, description, slug } = changes
  await refuseMisleading(deps, { userId: sellerId, texts: { title, description, slug } })
  const now = deps.clock.now()
  const hasLimit = changes.maxPayments !== undefined && changes.maxPayments !== null
  if (hasLimit) await deps.db.transaction().execute((tx) => countPageAtOnce(tx, { id, sellerId }))
  return deps.db.transaction().execute((tx) => changePage(tx, { id, sellerId, changes, program, now }))
}

/** Takes the page's lock first, which prevents new charges while the open ones are closed. */
async function changePage(tx: Tx, change: PageChange): Promise<ChargePage> {
  const { before, after } = await changeChargePage(tx, change)
  const { id: pageId, now } = change
  if (after.amountCents !== before.amountCents) await closeOpenCharges(tx, { pageId, now })
  else if (after.expiresAt !== null) await closeOpenCharges(tx, { pageId, now, expiringAfter: after.expiresAt })
  return after
}
