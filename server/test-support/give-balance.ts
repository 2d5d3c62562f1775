import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import { readBalance } from "#ledger/reads"

/** Credits the seller's balance in the ledger alone: no page, charge or fee. */
export async function giveBalance(db: Db, sellerId: string, amountCents: number): Promise<void> {
  await db.transaction().execute((tx) => giveBalances(tx, [sellerId], amountCents))
}

/** Takes all of it away again. */
export async function takeBalance(db: Db, sellerId: string): Promise<void> {
  const amountCents = await readBalance(db, sellerAvailable(sellerId))
  if (amountCents === 0) return
  await db.transaction().execute((tx) => take(tx, sellerId, amountCents))
}

async function take(tx: Tx, sellerId: string, amountCents: Cents): Promise<void> {
  await postTransactions(tx, [
    {
      kind: "payment-accepted",
      reference: newId(),
      sellerId,
      occurredAt: new Date(),
      postings: [{ debit: sellerAvailable(sellerId), credit: pspClearing("simulator"), amountCents }],
    },
  ])
}

export async function giveBalances(tx: Tx, sellerIds: readonly string[], amountCents: number): Promise<void> {
  const debit = pspClearing("simulator")
  const gifts = sellerIds.map((sellerId) => ({
    kind: "payment-accepted" as const,
    reference: newId(),
    sellerId,
    occurredAt: new Date(),
    postings: [{ debit, credit: sellerAvailable(sellerId), amountCents: amountCents as Cents }],
  }))
  await postTransactions(tx, gifts)
}
