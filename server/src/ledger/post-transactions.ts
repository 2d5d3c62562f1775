import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { Cents } from "#kit/money"
import type { AccountId } from "./accounts.ts"

/** One movement of money. It names both sides, so it can't be unbalanced. */
export interface Posting {
  debit: AccountId
  credit: AccountId
  amountCents: Cents
}

type TransactionKind =
  | "payment"
  | "unmatched-payment"
  | "payment-accepted"
  | "withdrawal"
  | "withdrawal-returned"
  | "payout"
  | "payout-completed"
  | "refund"
  | "refund-completed"
  | "refund-returned"
  | "refund-by-bank"
  | "dispute-blocked"
  | "dispute-released"

export interface LedgerTransaction {
  kind: TransactionKind
  /** Unique for its kind for ever: the same business event can't be booked twice. */
  reference: string
  sellerId: string | null
  occurredAt: Date
  /** Where we learnt of it later than it occurred. */
  bookedAt?: Date
  postings: Posting[]
}

/**
 * Books all of them or none. The database moves the balances with the postings, and refuses a
 * repeated (kind, reference) and whatever would take an account below its floor.
 */
export async function postTransactions(tx: Tx, transactions: LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  const rows = transactions.map((transaction) => ({ id: newId(), transaction }))
  await tx
    .insertInto("ledger_transactions")
    .values(
      rows.map(({ id, transaction }) => ({
        id,
        kind: transaction.kind,
        reference: transaction.reference,
        seller_id: transaction.sellerId,
        occurred_at: transaction.occurredAt,
        booked_at: transaction.bookedAt ?? transaction.occurredAt,
      })),
    )
    .execute()
  await tx
    .insertInto("ledger_postings")
    .values(rows.flatMap(({ id, transaction }) => postingRows(id, transaction)))
    .execute()
}

function postingRows(transactionId: string, { postings, reference, sellerId }: LedgerTransaction) {
  invariant(postings.length > 0, `${reference} moves nothing`)
  return postings.map((posting) => ({
    transaction_id: transactionId,
    seller_id: sellerId,
    debit_account: posting.debit,
    credit_account: posting.credit,
    amount_cents: posting.amountCents,
  }))
}
