import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
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

/**
 * Books all of them or none. The database moves the balances with the postings, and refuses a repeated (kind,
 * reference) and any posting that would take an account below its floor.
 */
export async function postTransactions(tx: Tx, transactions: LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  const rows = transactions.map((transaction) => ({ ...transaction, id: newId() }))
  const postings = rows.flatMap(postingsOf)
  await sql`/* prepared post-transactions */
    with booked as (
      insert into ledger_transactions (id, kind, reference, seller_id, occurred_at, booked_at)
      select * from unnest(
        ${arrayLiteral(rows.map(({ id }) => id))}::uuid[],
        ${arrayLiteral(rows.map(({ kind }) => kind))}::text[],
        ${arrayLiteral(rows.map(({ reference }) => reference))}::text[],
        ${arrayLiteral(rows.map(({ sellerId }) => sellerId))}::uuid[],
        ${arrayLiteral(rows.map(({ occurredAt }) => occurredAt))}::timestamptz[],
        ${arrayLiteral(rows.map(({ bookedAt, occurredAt }) => bookedAt ?? occurredAt))}::timestamptz[]
      )
    )
    insert into ledger_postings (transaction_id, seller_id, debit_account, credit_account, amount_cents, may_overdraw)
    select * from unnest(
      ${arrayLiteral(postings.map(({ transactionId }) => transactionId))}::uuid[],
      ${arrayLiteral(postings.map(({ sellerId }) => sellerId))}::uuid[],
      ${arrayLiteral(postings.map(({ debit }) => debit))}::text[],
      ${arrayLiteral(postings.map(({ credit }) => credit))}::text[],
      ${arrayLiteral(postings.map(({ amountCents }) => amountCents))}::bigint[],
      ${arrayLiteral(postings.map(({ mayOverdraw }) => mayOverdraw ?? false))}::boolean[]
    )`.execute(tx)
}

function postingsOf({ id, postings, reference, sellerId }: LedgerTransaction & { id: string }) {
  invariant(postings.length > 0, `${reference} moves nothing`)
  return postings.map((posting) => ({ ...posting, transactionId: id, sellerId }))
}
