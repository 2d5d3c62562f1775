import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { addCents, type Cents, noMoney, subtractCents } from "#kit/money"
import { type Day, saoPauloDay } from "#kit/sao-paulo-day"
import { type Account, accountOf, type Bank, chartOf, equationOf, isAccountId } from "./account.ts"
import {
  type AccountDay,
  type AccountSum,
  readAccountDays,
  readAccountSums,
  readEnteredSums,
} from "./accounts-repository.ts"

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

interface Wish {
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
export async function readAccountStatement({ db, psp }: Deps, { id, after, limit }: Wish): Promise<AccountStatement> {
  if (!isAccountId(id)) throw new DomainError("not_found")
  const found = await readAccountDays(db, { account: id, before: after ?? null, limit: limit + 1 })
  const days = found.slice(0, limit)
  const nowCents = await balanceOf(id, (accounts) => readAccountSums(db, "infinity", accounts))
  const lastDay = days[0]?.day ?? "infinity"
  let balanceCents = await balanceOf(id, (accounts) => readEnteredSums(db, lastDay, accounts))
  const rows = days.map((each) => {
    const row = { ...each, balanceCents }
    balanceCents = subtractCents(addCents(balanceCents, each.debitsCents), each.creditsCents)
    return row
  })
  return { account: accountOf(id, nowCents, psp), rows, next: found.length > limit ? (days.at(-1)?.day ?? null) : null }
}

/** As in the chart, where what sellers owe stands apart from what they have. */
async function balanceOf(id: string, read: (accounts: string[]) => Promise<AccountSum[]>): Promise<Cents> {
  const owed = id === "seller-available" ? "seller-debt" : null
  const sums = await read(owed === null ? [id] : [id, owed])
  const of = (name: string | null) => sums.find(({ account }) => account === name)?.balanceCents ?? noMoney
  return subtractCents(of(id), of(owed))
}
