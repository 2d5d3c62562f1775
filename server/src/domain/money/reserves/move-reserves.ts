import { noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { readReserveRules } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { sellerAvailable, sellerReserved } from "#ledger/accounts"
import { holdBalances } from "#ledger/hold-balances"
import { postTransactions } from "#ledger/post-transactions"
import { partsWithin } from "./reserve-parts.ts"
import { heldPostings, releasedPostings } from "./reserve-postings.ts"
import { addHolds, endDue, findDueSellers, lockNextSales, passSales, sumParts } from "./reserves-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** A fraction of a second's work, in one transaction. */
const SALES = 5_000
const SELLERS = 200

/** Holds what the settings hold of new sales, and gives back what is due. */
export async function moveReserves(deps: Deps): Promise<void> {
  await releaseDue(deps)
  await holdSales(deps)
}

async function holdSales({ db, clock }: Deps): Promise<void> {
  while (await db.transaction().execute((tx) => holdSome(tx, clock.now())));
}

/** True when more sales may wait. */
async function holdSome(tx: Tx, now: Date): Promise<boolean> {
  const span = await lockNextSales(tx, SALES)
  if (span === null || span.to === span.from) return false
  // Read after the sales were chosen: a setting that was saved before a sale holds for it.
  const rules = await readReserveRules(tx)
  const parts = rules === null ? [] : await sumParts(tx, span, rules, saoPauloDay(now))
  const sellerIds = [...new Set(parts.map(({ sellerId }) => sellerId))]
  if (sellerIds.length > 0) {
    const balances = await holdBalances(tx, [...sellerIds.map(sellerAvailable), ...sellerIds.map(sellerReserved)])
    // A refund or a dispute may have taken some of it meanwhile.
    const possible = sellerIds.flatMap((id) => {
      const own = parts.filter(({ sellerId }) => sellerId === id)
      return partsWithin(own, balances.get(sellerAvailable(id)) ?? noMoney)
    })
    const held = possible.length > 0 ? await addHolds(tx, possible) : []
    await postTransactions(
      tx,
      held.map((part) => heldPostings(part, span.to, now)),
    )
  }
  await passSales(tx, span)
  return span.isFull
}

async function releaseDue({ db, clock }: Deps): Promise<void> {
  for (;;) {
    const now = clock.now()
    const sellerIds = await findDueSellers(db, saoPauloDay(now), SELLERS)
    if (sellerIds.length === 0) return
    await db.transaction().execute((tx) => releaseOf(tx, sellerIds, now))
  }
}

async function releaseOf(tx: Tx, sellerIds: readonly string[], now: Date): Promise<void> {
  await holdBalances(tx, [...sellerIds.map(sellerAvailable), ...sellerIds.map(sellerReserved)])
  const ended = await endDue(tx, sellerIds, saoPauloDay(now), now)
  const released = ended.filter(({ cents }) => cents > noMoney)
  await postTransactions(
    tx,
    released.map((part) => releasedPostings(part, now)),
  )
}
