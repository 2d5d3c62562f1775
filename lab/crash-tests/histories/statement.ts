import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { type Month, monthOf, monthsAfter, saoPauloDay } from "../../../server/src/kit/clock.ts"
import { parseCsv } from "../../../server/test-support/parse-csv.ts"
import { expectStatus } from "../shop.ts"
import { centsOf, type SellerBooks, type StatementLine, sum } from "./seller-books.ts"
import { call, timeIn, type World } from "./world.ts"

const linesOnPage = 7
const changesOfReserves = 4
/** More than the three hours after which a month that has ended is closed. */
const closedAfterMs = 4 * 3_600_000

interface Page {
  opening: number
  closing: number
  closed: boolean
  rows: { at: string; amount: number; balance: number; reference: string }[]
  next: string | null
}

interface MonthStatement {
  month: Month
  openingCents: number
  closingCents: number
  isClosed: boolean
  lines: StatementLine[]
}

/** At rest: the present month is right. */
export async function expectPresentMonth(world: World, books: SellerBooks): Promise<void> {
  await expectMonth(world, books, monthOf(saoPauloDay(timeIn(world))))
}

/** At rest: each month begins with what the one before has ended with, and what was told before is told again. */
export async function expectStatements(world: World, books: SellerBooks): Promise<MonthStatement[]> {
  const months: MonthStatement[] = []
  const last = monthOf(saoPauloDay(timeIn(world)))
  for (let month = monthOf(world.firstDay); month <= last; month = monthsAfter(month, 1)) {
    const found = await expectMonth(world, books, month)
    expect(found.openingCents, `the opening of ${month}`).toBe(months.at(-1)?.closingCents ?? 0)
    months.push(found)
  }
  const lines = months.flatMap((month) => month.lines)
  expect(lines.slice(0, books.linesTold.length), "the lines that were told before").toEqual(books.linesTold)
  books.linesTold = lines
  return months
}

/**
 * With every history over: each seller's past months are closed, the present one ends with the balance, and all sellers
 * together have at the end of each day what the account of their balances has.
 */
export async function expectStatementsOfAll(world: World): Promise<void> {
  const { sellers, pastDays } = world
  const longEnded = new Date(timeIn(world).getTime() - closedAfterMs)
  for (const books of sellers) {
    const months = await expectStatements(world, books)
    const ended = months.filter(({ month }) => month < monthOf(saoPauloDay(longEnded)))
    expect(ended.map(({ isClosed }) => isClosed)).toEqual(ended.map(() => true))
    const { data } = expectStatus(await call(world, "GET", "/users/myBalance", { token: books.token }), 200)
    expect(months.at(-1)?.closingCents).toBe(centsOf((data as { balance: number }).balance))
  }
  for (const [day, balances] of pastDays) {
    const told = sellers.map(({ linesTold }) => linesTold.findLast((line) => line.day <= day)?.balanceCents ?? 0)
    const account = (balances["seller-available"] ?? 0) + (balances["seller-debt"] ?? 0)
    expect(sum(told), `all statements until ${day}`).toBe(account)
  }
}

/** A reserve may be held or released between two of the reads, so it reads anew then. */
async function expectMonth(world: World, books: SellerBooks, month: Month): Promise<MonthStatement> {
  for (let changes = changesOfReserves; ; changes -= 1) {
    try {
      return await expectMonthNow(world, books, month)
    } catch (error) {
      if (changes === 0) throw error
    }
  }
}

/** Opening + lines = closing, each line follows from the one above, and the files tell the same. */
async function expectMonthNow(world: World, { token }: SellerBooks, month: Month): Promise<MonthStatement> {
  const read = (more: string) => call(world, "GET", `/users/me/statement?month=${month}${more}`, { token })
  const rows: Page["rows"] = []
  let page: Page
  let after = ""
  do {
    page = expectStatus(await read(`&limit=${linesOnPage}${after}`), 200).data as Page
    rows.push(...page.rows)
    after = `&after=${page.next}`
  } while (page.next !== null)
  const lines = rows.map(toLine)
  let balanceCents = centsOf(page.opening)
  for (const line of lines) {
    balanceCents += line.amountCents
    expect(line.balanceCents, `the balance after ${line.reference} in ${month}`).toBe(balanceCents)
    expect(monthOf(line.day), `the month of ${line.reference}`).toBe(month)
  }
  expect(centsOf(page.closing), `the closing of ${month}`).toBe(balanceCents)
  expectCsv(await download(world, token, { month, format: "csv" }), lines)
  expectOfx(await download(world, token, { month, format: "ofx" }), lines, page.closing)
  return { month, openingCents: centsOf(page.opening), closingCents: balanceCents, isClosed: page.closed, lines }
}

function toLine({ at, amount, balance, reference }: Page["rows"][number]): StatementLine {
  const day = saoPauloDay(new Date(at))
  return { at, day, amountCents: centsOf(amount), balanceCents: centsOf(balance), reference }
}

function expectCsv(text: string, lines: readonly StatementLine[]): void {
  const cells = (row: Record<string, string>, name: string) => Number(row[name]?.replace(",", ""))
  const found = parseCsv(text).map((row) => [cells(row, "Valor (R$)"), cells(row, "Saldo (R$)")])
  expect(found).toEqual(lines.map(({ amountCents, balanceCents }) => [amountCents, balanceCents]))
}

function expectOfx(text: string, lines: readonly StatementLine[], closing: number): void {
  const found = [...text.matchAll(/<TRNAMT>([^<]*)/g)].map(([, amount]) => centsOf(Number(amount)))
  expect(found).toEqual(lines.map(({ amountCents }) => amountCents))
  expect(text).toContain(`<BALAMT>${closing.toFixed(2)}<`)
}

/** Few sellers may export at once, so it waits for its turn. */
async function download(
  world: World,
  token: string,
  { month, format }: { month: Month; format: "csv" | "ofx" },
): Promise<string> {
  for (;;) {
    const { status, text } = await world.gate.together(async () => {
      const url = `${world.nodes[0]?.url}/api/v1/users/me/statement/export?month=${month}&format=${format}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("utf8") }
    })
    if (status === 200) return text
    expect([429, 503]).toContain(status)
    await sleep(200)
  }
}
