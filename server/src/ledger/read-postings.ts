import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import type { AccountId } from "./accounts.ts"
import type { LedgerTransaction } from "./post-transactions.ts"

type PostingKind = LedgerTransaction["kind"] | "payment" | "unmatched-payment"

export interface BookedPosting {
  kind: PostingKind
  bookedAt: Date
  debit: AccountId
  credit: AccountId
  amountCents: Cents
}

interface Events {
  kinds: readonly PostingKind[]
  references: string[]
}

/** The postings of these business events, in booking order. */
export async function readPostings(db: Db, events: Events[]): Promise<BookedPosting[]> {
  const wanted = events.map(
    ({ kinds, references }) => sql`(kind = any(${kinds}::text[]) and reference = any(${references}::text[]))`,
  )
  const { rows } = await sql<BookedPosting>`
    select kind, booked_at as "bookedAt", debit_account as debit, credit_account as credit, amount_cents as "amountCents"
    from ledger_postings
    where ${sql.join(wanted, sql` or `)}
    order by number, booked_at, reference, line`.execute(db)
  return rows
}
