import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { type AccountId, sellerAvailable, sellerReserved } from "#ledger/accounts"
import { type LedgerTransaction, lockBalances, postTransactions } from "#ledger/post-transactions"
import { readBalance } from "#ledger/reads"
import { readReserveRules } from "#platform/settings/reads"
import { findDueSellers, listHeld, sumShares } from "./reads.ts"
import { drawnPostings, heldPostings, releasedPostings, sharesWithin } from "./rules.ts"
import { addHolds, drawFrom, endDue, lockNextSales, passSales } from "./table.ts"

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
  await reserveSales(deps)
}

async function reserveSales({ db, clock }: Deps): Promise<void> {
  while (await db.transaction().execute((tx) => reserveSome(tx, timesOf(clock))));
}

/** True when more sales may wait. */
async function reserveSome(tx: Tx, { now, due }: Times): Promise<boolean> {
  const span = await lockNextSales(tx, SALES)
  if (span === null || span.to === span.from) return false
  // Read after the sales were chosen: a setting that was saved before a sale holds for it.
  const rules = await readReserveRules(tx)
  const shares = rules === null ? [] : await sumShares(tx, span, rules, saoPauloDay(due))
  const sellerIds = [...new Set(shares.map(({ sellerId }) => sellerId))]
  if (sellerIds.length > 0) {
    const balances = await lockBalances(tx, [...sellerIds.map(sellerAvailable), ...sellerIds.map(sellerReserved)])
    // A refund or a dispute may have taken some of it meanwhile.
    const possible = sellerIds.flatMap((id) => {
      const own = shares.filter(({ sellerId }) => sellerId === id)
      return sharesWithin(own, balances.get(sellerAvailable(id)) ?? noMoney)
    })
    const held = possible.length > 0 ? await addHolds(tx, possible) : []
    await postTransactions(
      tx,
      held.map((share) => heldPostings(share, span.to, now)),
    )
  }
  await passSales(tx, span)
  return span.isFull
}

async function releaseDue({ db, clock }: Deps): Promise<void> {
  for (;;) {
    const times = timesOf(clock)
    const sellerIds = await findDueSellers(db, saoPauloDay(times.due), SELLERS)
    if (sellerIds.length === 0) return
    await db.transaction().execute((tx) => releaseOf(tx, sellerIds, times))
  }
}

async function releaseOf(tx: Tx, sellerIds: readonly string[], { now, due }: Times): Promise<void> {
  await lockBalances(tx, [...sellerIds.map(sellerAvailable), ...sellerIds.map(sellerReserved)])
  const ended = await endDue(tx, sellerIds, saoPauloDay(due), now)
  const released = ended.filter(({ cents }) => cents > noMoney)
  await postTransactions(
    tx,
    released.map((share) => releasedPostings(share, now)),
  )
}

/**
 * Books what takes money from sellers without asking for their balance: what the available balance lacks comes from the
 * reserve, the last day first.
 */
export async function postDrawing(tx: Tx, transactions: LedgerTransaction[]): Promise<void> {
  const drawn: LedgerTransaction[] = []
  for (const sellerId of new Set(transactions.map((each) => each.sellerId))) {
    if (sellerId === null) continue
    const own = transactions.filter((each) => each.sellerId === sellerId)
    const needCents = subtractCents(noMoney, changeOf(sellerAvailable(sellerId), own))
    const debit = own.find((each) => each.postings.some((posting) => posting.debit === sellerAvailable(sellerId)))
    if (debit === undefined || needCents <= noMoney) continue
    const cents = await draw(tx, sellerId, needCents)
    if (cents > noMoney) drawn.push(drawnPostings(sellerId, cents, debit))
  }
  await postTransactions(tx, [...drawn, ...transactions])
}

function changeOf(account: AccountId, transactions: readonly LedgerTransaction[]): Cents {
  return transactions
    .flatMap(({ postings }) => postings)
    .reduce((change, { debit, credit, amountCents }) => {
      if (credit === account) return addCents(change, amountCents)
      return debit === account ? subtractCents(change, amountCents) : change
    }, noMoney)
}

async function draw(tx: Tx, sellerId: string, needCents: Cents): Promise<Cents> {
  const [available, reserved] = [sellerAvailable(sellerId), sellerReserved(sellerId)]
  // Read without a lock: whoever never had a reserve keeps to the locks of the postings.
  if ((await readBalance(tx, reserved)) === noMoney) return noMoney
  const balances = await lockBalances(tx, [available, reserved])
  const shares = sharesWithin(
    await listHeld(tx, sellerId),
    subtractCents(needCents, balances.get(available) ?? noMoney),
  )
  if (shares.length > 0) await drawFrom(tx, shares)
  return shares.reduce((sum, { cents }) => addCents(sum, cents), noMoney)
}
