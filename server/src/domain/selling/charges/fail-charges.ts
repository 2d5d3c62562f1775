import type { Tx } from "#db/transaction"
import { discardSinglePage, lockSinglePages } from "#domain/selling/charge-pages/single-page"
import {
  findPagesOfUnfinished,
  findPagesWithSeenCharge,
  markChargeFailed,
  markUnfinishedChargesFailed,
  markUnopenedChargeDue,
  type RemovalAfterFailure,
} from "./charges-repository.ts"

interface ChargeOfPage {
  id: string
  pageId: string
  now: Date
}

export type FailedCharge = ChargeOfPage & { removal: RemovalAfterFailure }

/** A single page ends with its only charge. */
export async function failCharge(tx: Tx, { id, pageId, removal, now }: FailedCharge): Promise<void> {
  const singles = await lockSinglePages(tx, [pageId])
  await markChargeFailed(tx, id, removal, now)
  await discardUnseen(tx, singles, now)
}

/** The provider answered for a charge that was ended meanwhile. */
export async function failUnopenedCharge(tx: Tx, { id, pageId, now }: ChargeOfPage): Promise<void> {
  const singles = await lockSinglePages(tx, [pageId])
  await markUnopenedChargeDue(tx, id, now)
  await discardUnseen(tx, singles, now)
}

/** Unfinished charges: the process died, or the provider never answered. Pages are locked before charges, as always. */
export async function failUnfinished(tx: Tx, createdBefore: Date, now: Date, limit: number): Promise<number> {
  const pages = await findPagesOfUnfinished(tx, createdBefore, limit)
  const singles = await lockSinglePages(tx, pages)
  const failed = await markUnfinishedChargesFailed(tx, createdBefore, now, limit)
  await discardUnseen(tx, singles, now)
  return failed
}

/** Not a page whose code somebody has seen: its payer may have asked for another one. */
async function discardUnseen(tx: Tx, singles: string[], now: Date): Promise<void> {
  if (singles.length === 0) return
  const seen = new Set(await findPagesWithSeenCharge(tx, singles))
  for (const id of singles) if (!seen.has(id)) await discardSinglePage(tx, id, now)
}
