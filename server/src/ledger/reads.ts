import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import type { AccountId } from "./accounts.ts"
import { type LedgerTransaction, postingName, transactionKinds } from "./post-transactions.ts"

/** Zero for an account without postings. */
export async function readBalance(db: Db, account: AccountId): Promise<Cents> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance_cents")
    .where("id", "=", account)
    .executeTakeFirst()
  return row?.balance_cents ?? noMoney
}

/** The debts of all sellers, zero or less: a floor below zero is a debt. */
export async function readDebts(db: Db): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(least(balance_cents, 0)), 0)::bigint as cents from ledger_accounts
    where kind = 'seller-available' and floor_cents < 0`.execute(db)
  return rows[0]?.cents ?? noMoney
}

/** Available balances of many sellers, each found by a short key; a seller without postings is missing. */
export async function readAvailable(db: Db, sellerIds: readonly string[]): Promise<Map<string, Cents>> {
  if (sellerIds.length === 0) return new Map()
  const { rows } = await sql<{ sellerId: string; balanceCents: Cents }>`
    select seller_id as "sellerId", balance_cents as "balanceCents" from ledger_accounts
    where kind = 'seller-available' and seller_id = any(${sellerIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ sellerId, balanceCents }) => [sellerId, balanceCents]))
}

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

export interface LedgerDifference {
  what: string
  expected: string
  found: string
}

/** Recomputes every balance from the postings. Reads the whole history: for operators, not for requests. */
export async function verifyLedger(db: Db): Promise<LedgerDifference[]> {
  const differences = await Promise.all([wrongBalances(db), wrongFloors(db), wholeSum(db), unknownKinds(db)])
  return differences.flat()
}

export async function countPostings(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ledger_postings`.execute(db)
  return rows[0]?.count ?? 0
}

async function wrongBalances(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<{ id: string; stored: string | null; posted: string }>`
    select coalesce(account.id, posted.id) as id, account.balance_cents::text as stored,
      coalesce(posted.balance, 0)::text as posted
    from ledger_accounts account
    full join (
      select id, sum(change) as balance
      from (
        select credit_account as id, amount_cents as change from ledger_postings
        union all
        select debit_account, -amount_cents from ledger_postings
      ) move
      group by id
    ) posted on posted.id = account.id
    where account.balance_cents is distinct from coalesce(posted.balance, 0)
    order by 1`.execute(db)
  return rows.map((row) => ({
    what: `saldo da conta ${row.id}, em centavos`,
    expected: row.posted,
    found: row.stored ?? "conta ausente",
  }))
}

/** A debt is what lies below zero: see move_balances(). */
async function wrongFloors(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<LedgerDifference>`
    select 'limite da conta ' || id || ', em centavos' as what, least(balance_cents, 0)::text as expected,
      floor_cents::text as found
    from ledger_accounts
    where kind in ('seller-available', 'fee-revenue', 'suspense') and floor_cents <> least(balance_cents, 0)`.execute(
    db,
  )
  return rows
}

async function wholeSum(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(balance_cents), 0)::text as sum from ledger_accounts`.execute(db)
  const sum = rows[0]?.sum ?? "0"
  return sum === "0" ? [] : [{ what: "soma de todas as contas, em centavos", expected: "0", found: sum }]
}

/** Each other kind is compared with the rows that left it, so one that nobody knows would be compared with nothing. */
async function unknownKinds(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<LedgerDifference>`
    select ${postingName("posting")} as what, 'um tipo de transação que existe' as expected, posting.kind as found
    from journal posting where posting.kind not in ${wordList(transactionKinds)}`.execute(db)
  return rows
}
