import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { type AccountId, sellerAvailable, sellerReserved } from "#ledger/accounts"
import { holdBalances } from "#ledger/hold-balances"
import { type LedgerTransaction, postTransactions } from "#ledger/post-transactions"
import { readBalance } from "#ledger/read-balance"
import { partsWithin } from "./reserve-parts.ts"
import { drawnPostings } from "./reserve-postings.ts"
import { drawFrom, listHeld } from "./reserves-repository.ts"

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
  const balances = await holdBalances(tx, [available, reserved])
  const parts = partsWithin(await listHeld(tx, sellerId), subtractCents(needCents, balances.get(available) ?? noMoney))
  if (parts.length > 0) await drawFrom(tx, parts)
  return parts.reduce((sum, { cents }) => addCents(sum, cents), noMoney)
}
