import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { bigint, boolean, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
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
  /** The money has left or may have to leave, whatever we hold: the debit account may owe it. */
  mayOverdraw?: true
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
  /** Unique per kind, for ever: the same business event can't be booked twice. */
  reference: string
  sellerId: string | null
  occurredAt: Date
  /** Set when the booking is later than the event. */
  bookedAt?: Date
  postings: Posting[]
}

type BookedTransaction = LedgerTransaction & { id: string }

const newTransactions = rowsOf<BookedTransaction, NewRow<"ledger_transactions">>("booking", {
  id: uuid(({ id }) => id),
  kind: text(({ kind }) => kind),
  reference: text(({ reference }) => reference),
  seller_id: uuid(({ sellerId }) => sellerId),
  occurred_at: timestamptz(({ occurredAt }) => occurredAt),
  booked_at: timestamptz(({ bookedAt, occurredAt }) => bookedAt ?? occurredAt),
})

const newPostings = rowsOf<ReturnType<typeof postingsOf>[number], NewRow<"ledger_postings", "id">>("posting", {
  transaction_id: uuid(({ transactionId }) => transactionId),
  seller_id: uuid(({ sellerId }) => sellerId),
  debit_account: text(({ debit }) => debit),
  credit_account: text(({ credit }) => credit),
  amount_cents: bigint(({ amountCents }) => amountCents),
  may_overdraw: boolean(({ mayOverdraw }) => mayOverdraw ?? false),
})

/**
 * Books all of them or none. The database moves the balances with the postings, and refuses a repeated (kind,
 * reference) and any posting that would take an account below its floor.
 */
export async function postTransactions(tx: Tx, transactions: LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  const rows = transactions.map((transaction) => ({ ...transaction, id: newId() }))
  const postings = rows.flatMap(postingsOf)
  await prepared("post-transactions")`
    with booked as (
      insert into ledger_transactions (${newTransactions.columns}) select * from ${newTransactions.of(rows)}
    )
    insert into ledger_postings (${newPostings.columns}) select * from ${newPostings.of(postings)}`.execute(tx)
}

function postingsOf({ id, postings, reference, sellerId }: BookedTransaction) {
  invariant(postings.length > 0, `transaction ${reference} has no postings`)
  return postings.map((posting) => ({ ...posting, transactionId: id, sellerId }))
}
