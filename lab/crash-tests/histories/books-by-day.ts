import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { type Day, daysAfter, saoPauloDay } from "../../../server/src/kit/clock.ts"
import { query } from "../embedded-books.ts"
import { expectStatus } from "../shop.ts"
import { centsOf, sum } from "./seller-books.ts"
import { type Balances, callAsAdmin, timeIn, type World } from "./world.ts"

/** Small pages, so that there are several. */
const daysOnPage = 3
const postingsOnPage = 40
/** Movements are entered into the days some seconds after they were booked. */
const enteredWithinMs = 60_000
const pauseMs = 500

interface Chart {
  asOf: string
  accounts: { id: string; balance: number }[]
  equation: { bank: number; sellers: number; ours: number; waiting: number; difference: number }
}

/**
 * Every account's story of every past day, or of today too: its postings are its movements; opening + movements = closing;
 * and closing is the balance as of the day, which the journal adds up to, and which was told of this day before.
 */
export async function expectBooksByDay(world: World, which: "past" | "all"): Promise<void> {
  const today = saoPauloDay(timeIn(world))
  const days = daysBetween(world.firstDay, which === "all" ? today : daysAfter(today, -1))
  const journal = await readJournal(world)
  const newDays = new Set<Day>()
  for (const day of days) {
    const balances = await readBalances(world, day)
    expect(balances, `as of ${day}, by the journal`).toEqual(sumUntil(day, journal))
    const before = world.pastDays.get(day)
    if (before === undefined) newDays.add(day)
    else expect(balances, `as of ${day}, as told before`).toEqual(before)
    world.pastDays.set(day, balances)
  }
  const { accounts } = await readChart(world)
  for (const { id } of accounts) {
    const moved = await untilEntered(() => expectAccount(world, id))
    for (const day of moved) if (newDays.has(day)) await expectPostings(world, id, day)
  }
}

function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (let day = first; day <= last; day = daysAfter(day, 1)) days.push(day)
  return days
}

/** At any time: all accounts add up to zero, and no past day is told otherwise than before. */
export async function expectBooksNow(world: World): Promise<void> {
  await readBalances(world)
  const told = [...world.pastDays]
  const [day, before] = told[world.counts.steps % told.length] ?? []
  if (day !== undefined) expect(await readBalances(world, day), `as of ${day}, as told before`).toEqual(before)
}

async function readChart(world: World, day?: string): Promise<Chart> {
  const path = `/admin/accounts${day === undefined ? "" : `?asOf=${day}`}`
  return expectStatus(await callAsAdmin(world, "GET", path), 200).data as Chart
}

async function readBalances(world: World, day?: string): Promise<Balances> {
  const { asOf, accounts, equation } = await readChart(world, day)
  const all = accounts.map(({ id, balance }) => ({ id, cents: centsOf(balance) }))
  expect(sum(all.map(({ cents }) => cents)), `all accounts as of ${asOf}`).toBe(0)
  const { bank, sellers, ours, waiting, difference } = equation
  expect({ difference, bank: centsOf(bank) }, `the first line as of ${asOf}`).toEqual({
    difference: 0,
    bank: centsOf(sellers) + centsOf(ours) + centsOf(waiting),
  })
  return withoutEmpty(all.map(({ id, cents }) => [id, cents]))
}

function withoutEmpty(balances: [string, number][]): Balances {
  return Object.fromEntries(balances.filter(([, cents]) => cents !== 0))
}

interface AccountDay {
  day: string
  credits: number
  debits: number
  balance: number
}

/** Returns the days on which it moved. */
async function expectAccount(world: World, id: string): Promise<Day[]> {
  let balance = 0
  const closings = new Map<Day, number>()
  for (const { day, credits, debits, ...told } of await readDays(world, id)) {
    balance += centsOf(credits) - centsOf(debits)
    expect(centsOf(told.balance), `${id} at the end of ${day}`).toBe(balance)
    closings.set(day, balance)
  }
  let closing = 0
  for (const [day, balances] of world.pastDays) {
    closing = closings.get(day) ?? closing
    expect(closing, `the movements of ${id} until ${day}`).toBe(balances[id] ?? 0)
  }
  return [...closings.keys()]
}

/** Oldest first. */
async function readDays(world: World, id: string): Promise<AccountDay[]> {
  const days: AccountDay[] = []
  let after = ""
  for (;;) {
    const path = `/admin/accounts/${encodeURIComponent(id)}/statement?limit=${daysOnPage}${after}`
    const page = expectStatus(await callAsAdmin(world, "GET", path), 200).data as {
      rows: AccountDay[]
      next: string | null
    }
    days.unshift(...page.rows.toReversed())
    if (page.next === null) return days
    after = `&after=${page.next}`
  }
}

/** Debts are no account of the journal: their movements are postings of the balances. */
async function expectPostings(world: World, id: string, day: string): Promise<void> {
  if (id === "seller-debt") return
  const amounts: number[] = []
  for (let after = ""; ; ) {
    const path = `/admin/accounts/${encodeURIComponent(id)}/statement?day=${day}&limit=${postingsOnPage}${after}`
    const { rows, postings, next } = expectStatus(await callAsAdmin(world, "GET", path), 200).data as {
      rows: AccountDay[]
      postings: { amount: number }[]
      next: string | null
    }
    amounts.push(...postings.map(({ amount }) => centsOf(amount)))
    if (next !== null) {
      after = `&afterPosting=${encodeURIComponent(next)}`
      continue
    }
    const debts = id === "seller-available" ? await readDays(world, "seller-debt") : []
    const movedRows = [...rows, ...debts.filter((row) => row.day === day)]
    const moved = sum(movedRows.map(({ credits, debits }) => centsOf(credits) - centsOf(debits)))
    return expect(sum(amounts), `the postings of ${id} on ${day}`).toBe(moved)
  }
}

async function untilEntered<Found>(check: () => Promise<Found>): Promise<Found> {
  for (const giveUpAt = Date.now() + enteredWithinMs; ; await sleep(pauseMs)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
  }
}

interface Side {
  day: string
  account: string
  cents: number
}

/** Both sides of every posting, and nothing that is derived from them. */
async function readJournal({ installation }: World): Promise<Side[]> {
  const rows = await query<{ day: string; account: string; cents: string }>(
    installation.databaseUrl,
    `select (booked_at at time zone 'America/Sao_Paulo')::date::text as day, account, sum(cents)::text as cents
     from ledger_postings
     cross join lateral (values (debit_account, -amount_cents), (credit_account, amount_cents)) side (account, cents)
     group by 1, 2`,
  )
  return rows.map(({ day, account, cents }) => ({ day, account, cents: Number(cents) }))
}

/** As the chart shows them: a kind of account of all sellers as one, but debts apart. */
function sumUntil(day: string, journal: readonly Side[]): Balances {
  const add = (to: Map<string, number>, key: string, cents: number) => to.set(key, (to.get(key) ?? 0) + cents)
  const own = new Map<string, number>()
  for (const side of journal) if (side.day <= day) add(own, side.account, side.cents)
  const sums = new Map<string, number>()
  for (const [account, cents] of own) {
    const [kind = ""] = account.split(":")
    const isDebt = kind === "seller-available" && cents < 0
    add(sums, isDebt ? "seller-debt" : kind.startsWith("seller-") ? kind : account, cents)
  }
  return withoutEmpty([...sums])
}
