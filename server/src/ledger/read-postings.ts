import { sql } from "kysely"
import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { AccountId } from "./accounts.ts"
import type { LedgerTransaction } from "./post-transactions.ts"

export interface BookedPosting {
  kind: LedgerTransaction["kind"]
  bookedAt: Date
  debit: AccountId
  credit: AccountId
  amountCents: Cents
}

interface Events {
  kinds: readonly LedgerTransaction["kind"][]
  references: string[]
}

/** The postings of these business events, in booking order. */
export async function readPostings(db: Db, events: Events[]): Promise<BookedPosting[]> {
  const wanted = events.map(
    ({ kinds, references }) =>
      sql`(transaction.kind = any(${kinds}::text[]) and transaction.reference = any(${references}::text[]))`,
  )
  const { rows } = await sql<BookedPosting>`
    select transaction.kind, transaction.booked_at as "bookedAt", posting.debit_account as debit,
      posting.credit_account as credit, posting.amount_cents as "amountCents"
    from ledger_transactions transaction
    join ledger_postings posting on posting.transaction_id = transaction.id
    where ${sql.join(wanted, sql` or `)}
    order by posting.id`.execute(db)
  return rows
}
