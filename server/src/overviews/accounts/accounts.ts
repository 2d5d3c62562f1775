import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { type Clock, type Day, daysAfter, saoPauloDay, startOfDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { type AccountDay, type AccountPosting, readAccountDays, readAccountPostings, readAccountSums } from "./reads.ts"
import { type Account, accountOf, type Bank, chartOf, equationOf, isAccountId } from "./rules.ts"

interface Books {
  asOf: Day
  accounts: Account[]
  equation: ReturnType<typeof equationOf>
}

interface Deps {
  db: Db
  clock: Clock
  psp: Bank
}

/** The chart of accounts with its balances at the end of a day; of today, those of now. */
export async function readBooks({ db, clock, psp }: Deps, asOf: Day | undefined): Promise<Books> {
  const day = asOf ?? saoPauloDay(clock.now())
  const accounts = chartOf(await sumsAt(db, day), psp)
  return { asOf: day, accounts, equation: equationOf(accounts) }
}

async function sumsAt(db: Db, day: Day): Promise<Map<string, Cents>> {
  const sums = await readAccountSums(db, day, null)
  return new Map(sums.map(({ account, balanceCents }) => [account, balanceCents]))
}

interface StatementQuery {
  id: string
  after: Day | undefined
  limit: number
}

interface AccountStatement {
  account: Account
  rows: (AccountDay & { balanceCents: Cents })[]
  next: Day | null
}

/** The days on which an account moved, newest first. What was booked seconds ago is not among them yet. */
export async function readAccountStatement(
  { db, psp }: Deps,
  { id, after, limit }: StatementQuery,
): Promise<AccountStatement> {
  if (!isAccountId(id)) throw new DomainError("not_found")
  const found = await readAccountDays(db, { account: id, before: after ?? null, limit: limit + 1 })
  const days = found.days.slice(0, limit)
  const account = accountOf(id, await balanceOf(db, id), psp)
  return {
    account,
    rows: withBalances(days, found.balanceCents),
    next: found.days.length > limit ? (days.at(-1)?.day ?? null) : null,
  }
}

function withBalances(days: readonly AccountDay[], lastCents: Cents): AccountStatement["rows"] {
  let balanceCents = lastCents
  return days.map((each) => {
    const row = { ...each, balanceCents }
    balanceCents = subtractCents(addCents(balanceCents, each.debitsCents), each.creditsCents)
    return row
  })
}

interface DayQuery {
  id: string
  day: Day
  /** The position of a posting. */
  after: string | undefined
  limit: number
}

interface DayStatement extends Omit<AccountStatement, "next"> {
  postings: (AccountPosting & { counterName: string })[]
  next: string | null
}

/** The postings of an account on one day, in the order of booking, next to that day's sums and balance. */
export async function readAccountDay({ db, psp }: Deps, { id, day, after, limit }: DayQuery): Promise<DayStatement> {
  if (!isAccountId(id)) throw new DomainError("not_found")
  const { days, balanceCents } = await readAccountDays(db, { account: id, before: daysAfter(day, 1), limit: 1 })
  const [from, to] = [startOfDay(day), startOfDay(daysAfter(day, 1))]
  const query = { account: id, day, from, to, after: after ?? null, limit: limit + 1 }
  const found = await readAccountPostings(db, query)
  const postings = found.slice(0, limit)
  const nameOf = (counter: string) => accountOf(counter, noMoney, psp).name
  return {
    account: accountOf(id, balanceCents, psp),
    rows: withBalances(days, balanceCents).filter((row) => row.day === day),
    postings: postings.map((posting) => ({ ...posting, counterName: nameOf(posting.counterAccount) })),
    next: found.length > limit ? (postings.at(-1)?.position ?? null) : null,
  }
}

/** As in the chart, where what sellers owe stands apart from what they have. */
async function balanceOf(db: Db, id: string): Promise<Cents> {
  const owed = id === "seller-available" ? "seller-debt" : null
  const sums = await readAccountSums(db, "infinity", owed === null ? [id] : [id, owed])
  const of = (name: string | null) => sums.find(({ account }) => account === name)?.balanceCents ?? noMoney
  return subtractCents(of(id), of(owed))
}
