import type { Db, Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { Cents } from "#kit/money"
import { pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"

/** Credits the seller's balance in the ledger alone: no page, charge or fee. */
export async function giveBalance(db: Db, sellerId: string, amountCents: number): Promise<void> {
  await db.transaction().execute((tx) => post(tx, sellerId, amountCents as Cents))
}

async function post(tx: Tx, sellerId: string, amountCents: Cents): Promise<void> {
  await postTransactions(tx, [
    {
      kind: "payment-accepted",
      reference: newId(),
      sellerId,
      occurredAt: new Date(),
      postings: [{ debit: pspClearing("simulator"), credit: sellerAvailable(sellerId), amountCents }],
    },
  ])
}
