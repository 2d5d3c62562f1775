import { addCents, type Cents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents, publishRemovalsDue } from "#events/events"
import { createRecentMap } from "#kit/caches"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { appendEvents } from "#platform/event-log/append"
import { type Psp, provenTime } from "#psp/psp"
import { lockPagesOfCharges } from "#selling/charge-pages/change"
import { discardSinglePage, lockSinglePages } from "#selling/charge-pages/single-page"
import { forgetCodesOf } from "#selling/invoices/change"
import { findPagesOfUnfinished, findPagesWithOpenCharges, findPagesWithSeenCharge } from "./reads.ts"
import { type Charge, type DueRemoval, LONGEST_REQUEST_SECONDS } from "./rules.ts"
import {
  claimDueRemovals,
  insertWholeCharge,
  markChargeFailed,
  markExpiredCharges,
  markOpenChargesCancelled,
  markRemovals,
  markSellersOpenChargesCancelled,
  markUnfinishedChargesFailed,
  markUnopenedChargeDue,
  payNamedCharge,
  type RemovalAfterFailure,
  type RemovalClaim,
  updateNextRemovals,
  updateRefunded,
} from "./table.ts"

const BATCH = 500
/** The grace period during which a payer's status waits for the bank. */
const GRACE_SECONDS = 3

interface Deps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

/** A clock that is ahead must not take codes from payers who can still pay them. */
export async function expireCharges({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
  for (;;) {
    const ended = await db.transaction().execute((tx) => endCharges(tx, now))
    if (ended < BATCH) return
  }
}

async function endCharges(tx: Tx, now: Date): Promise<number> {
  const ended = await markExpiredCharges(tx, secondsAfter(now, -GRACE_SECONDS), now, BATCH)
  await publishChargeEvents(
    tx,
    ended.map((charge) => ({ chargeId: charge.id, sellerId: charge.seller_id })),
  )
  return ended.length
}

/** Ends charges left between the two transactions by a crash or a silent provider, and removes them at the provider. */
export async function failUnfinishedCharges({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
  const createdBefore = secondsAfter(now, -LONGEST_REQUEST_SECONDS)
  for (;;) {
    const failed = await db.transaction().execute((tx) => failUnfinished(tx, createdBefore, now, BATCH))
    if (failed < BATCH) return
  }
}

/**
 * Ends a page's open Pix codes; a job removes them at the provider, so that nobody can pay them. Call it under the
 * page's lock.
 */
export async function closeOpenCharges(
  tx: Tx,
  { pageId, now, expiringAfter }: { pageId: string; now: Date; expiringAfter?: Date },
): Promise<void> {
  await notifyOf(tx, await markOpenChargesCancelled(tx, { pageId, expiringAfter, now }))
}

/** Ends the codes of all the seller's pages. Call it under the seller's lock, which prevents new ones. */
export async function closeOpenChargesOfSeller(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await lockPagesOfCharges(tx, await findPagesWithOpenCharges(tx, sellerId))
  await notifyOf(tx, await markSellersOpenChargesCancelled(tx, sellerId, now))
}

async function notifyOf(tx: Tx, closed: { id: string; seller_id: string; page_id: string }[]): Promise<void> {
  await forgetCodesOf(
    tx,
    closed.map(({ page_id }) => page_id),
  )
  await publishChargeEvents(
    tx,
    closed.map((charge) => ({ chargeId: charge.id, sellerId: charge.seller_id })),
  )
}

export async function claimDueChargeRemovals(tx: Tx, claim: RemovalClaim): Promise<DueRemoval[]> {
  return claimDueRemovals(tx, claim)
}

export interface RemovalOutcomes {
  done: string[]
  givenUp: string[]
  postponed: { id: string; until: Date }[]
}

export async function saveChargeRemovals(tx: Tx, { done, givenUp, postponed }: RemovalOutcomes): Promise<void> {
  await markRemovals(tx, done, "done")
  await markRemovals(tx, givenUp, "given_up")
  await updateNextRemovals(tx, postponed)
}

/** The last code of each payer who may not have paid it yet, as this process made or found it. */
export interface UnpaidCodes {
  find(payer: string): string | undefined
  remember(payer: string, chargeId: string): void
  /** Waits for the payer's request that is under way, so that two at once get one code. */
  afterOthers<Result>(payer: string, work: () => Promise<Result>): Promise<Result>
}

const remembered = 20_000

export function createUnpaidCodes(): UnpaidCodes {
  const chargeIds = createRecentMap<string, string>(remembered)
  const underWay = new Map<string, Promise<unknown>>()

  return {
    find: (payer) => chargeIds.get(payer),
    remember: (payer, chargeId) => chargeIds.set(payer, chargeId),
    async afterOthers(payer, work) {
      const before = underWay.get(payer)
      if (before !== undefined) await Promise.allSettled([before])
      const own = work()
      underWay.set(payer, own)
      try {
        return await own
      } finally {
        if (underWay.get(payer) === own) underWay.delete(payer)
      }
    },
  }
}

/**
 * An accepted unmatched payment pays the charge that it was meant for; with `isApart`, or where something else has paid that
 * one, it becomes the given charge of its own. Returns the id of the charge that it paid.
 */
export async function recordAcceptedCharge(tx: Tx, charge: Charge, isApart: boolean): Promise<string> {
  const now = charge.updatedAt
  const named = isApart ? null : await payNamedCharge(tx, charge)
  if (named === null) await insertWholeCharge(tx, charge)
  else {
    if (named.completedPageId !== null) await closeOpenCharges(tx, { pageId: named.completedPageId, now })
    await publishRemovalsDue(tx)
  }
  const chargeId = named?.chargeId ?? charge.id
  await appendEvents(tx, "charge.paid", [chargeId], now)
  await publishChargeEvents(tx, [{ chargeId, sellerId: charge.sellerId }])
  return chargeId
}

/** The payment that makes it pays it in the same transaction. Call it under the page's lock. */
export async function recordDebitCharge(tx: Tx, charge: Charge): Promise<void> {
  await insertWholeCharge(tx, charge)
}

interface Refunded {
  amountCents: Cents
  feeCents: Cents
}

/**
 * Books money returned to the payer of a locked charge. Its status becomes refunded only when all of it was returned.
 */
export async function recordRefunded(tx: Tx, charge: Charge, refunded: Refunded, now: Date): Promise<Charge> {
  const refundedCents = addCents(charge.refundedCents, refunded.amountCents)
  invariant(refundedCents <= charge.amountCents, `charge ${charge.id} is refunded above its amount`)
  const changed: Charge = {
    ...charge,
    refundedCents,
    refundedFeeCents: addCents(charge.refundedFeeCents, refunded.feeCents),
    status: refundedCents === charge.amountCents ? "refunded" : charge.status,
    updatedAt: now,
  }
  await updateRefunded(tx, changed)
  await publishChargeEvents(tx, [{ chargeId: charge.id, sellerId: charge.sellerId }])
  return changed
}

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
async function failUnfinished(tx: Tx, createdBefore: Date, now: Date, limit: number): Promise<number> {
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
