import type { Cents } from "@tilinta/contract/vocabulary/money"
import { prepared, SqlPart } from "#db/prepared"
import { bigint, boolean, integer, type NewRow, rowsOf, text, textList, timestamptz, uuid } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { invariant } from "#kit/errors"
import type { AccountId } from "./accounts.ts"

/** One movement of money. It names both sides, so it can't be unbalanced. */
export interface Posting {
  debit: AccountId
  credit: AccountId
  amountCents: Cents
  /** The money has left or may have to leave, whatever we hold: the debit account may owe it. */
  mayOverdraw?: true
}

/** Payments are no transactions: the row of a payment is its entry, from which the database derives the postings. */
export const transactionKinds = [
  "payment-accepted",
  "withdrawal",
  "withdrawal-returned",
  "payout",
  "payout-completed",
  "payout-returned",
  "refund",
  "refund-completed",
  "refund-returned",
  "refund-by-bank",
  "dispute-blocked",
  "dispute-released",
  "reserve-held",
  "reserve-drawn",
  "reserve-released",
  "own-payout",
  "bank-tariff",
  "capital-in",
  "bank-yield",
  "correction",
] as const
type TransactionKind = (typeof transactionKinds)[number]

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

interface Line {
  transaction: LedgerTransaction
  number: number
  posting: Posting
}

const newLines = rowsOf<Line, NewRow<"journal", "number" | "xid">>("given", {
  kind: text(({ transaction }) => transaction.kind),
  reference: text(({ transaction }) => transaction.reference),
  line: integer(({ number }) => number),
  may_overdraw: boolean(({ posting }) => posting.mayOverdraw ?? false),
  seller_id: uuid(({ transaction }) => transaction.sellerId),
  debit_account: text(({ posting }) => posting.debit),
  credit_account: text(({ posting }) => posting.credit),
  amount_cents: bigint(({ posting }) => posting.amountCents),
  occurred_at: timestamptz(({ transaction }) => transaction.occurredAt),
  booked_at: timestamptz(({ transaction }) => transaction.bookedAt ?? transaction.occurredAt),
})

/**
 * Books all of them or none. The database moves the balances with the postings, and refuses a repeated (kind,
 * reference) and any posting that would take an account below its floor.
 */
export async function postTransactions(tx: Tx, transactions: LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  await prepared("post-transactions")`
    insert into journal (${newLines.columns}) select * from ${newLines.of(transactions.flatMap(linesOf))}`.execute(tx)
}

function linesOf(transaction: LedgerTransaction): Line[] {
  invariant(transaction.postings.length > 0, `transaction ${transaction.reference} has no postings`)
  return transaction.postings.map((posting, index) => ({ transaction, number: index + 1, posting }))
}

/** Recognises the database's error for postings that would take an account below its floor. */
export function isBelowFloor(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, table } = error as Error & { code?: unknown; table?: unknown }
  return code === "23514" && table === "ledger_accounts"
}

/**
 * Locks the accounts until the end of the transaction and returns their balances; an account without postings is
 * missing.
 */
export async function lockBalances(tx: Tx, accounts: readonly AccountId[]): Promise<Map<string, Cents>> {
  const { rows } = await prepared<{ id: string; balance: Cents }>("lock-balances")`
    select id, balance_cents as balance from hold_balances(${textList([...new Set(accounts)])})`.execute(tx)
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

/** SQL that names a row of the journal for `verify`, by its key and its transaction; null where the row is missing. */
export function postingName(row: string): SqlPart {
  const key = `'journal kind=' || ${row}.kind || ' reference=' || ${row}.reference || ' line=' || ${row}.line`
  const transaction = `' (transação ' || ${row}.kind || ' ' || ${row}.reference || ')'`
  return new SqlPart([`${key} || ${transaction}`])
}
