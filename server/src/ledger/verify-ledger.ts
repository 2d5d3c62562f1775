import { sql } from "kysely"
import { wordList } from "#db/sql-part"
import type { Db } from "#db/transaction"
import { transactionKinds } from "./post-transactions.ts"
import { postingName } from "./posting-name.ts"

export interface LedgerDifference {
  what: string
  expected: string
  found: string
}

/** Recomputes every balance from the postings. Reads the whole history: for operators, not for requests. */
export async function verifyLedger(db: Db): Promise<LedgerDifference[]> {
  const differences = await Promise.all([wrongBalances(db), wholeSum(db), unknownKinds(db)])
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
