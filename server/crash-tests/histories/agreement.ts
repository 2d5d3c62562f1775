import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { expectStatus } from "../shop.ts"
import { expectBooksNow } from "./books-by-day.ts"
import {
  type Code,
  countUnderWay,
  endOf,
  isBack,
  isFull,
  type Money,
  moneyOf,
  type Page,
  refundedOf,
  type SellerBooks,
  sum,
} from "./seller-books.ts"
import { expectPresentMonth } from "./statement.ts"
import { call, type World } from "./world.ts"

const restWithinMs = 120_000

interface Lists {
  codes: Map<string, string>
  refundedCents: Map<string, number>
  withdrawals: Map<string, string>
  sums: Record<string, number>
}

/**
 * At any time: every amount on every screen follows from the states in the lists. Only what changed during the reads
 * may disagree, and anything under way changes at most twice.
 */
export async function expectAgreement(world: World, books: SellerBooks): Promise<void> {
  for (let changes = 2 * countUnderWay(books); ; changes -= 1) {
    const lists = await readLists(world, books)
    const problem = problemOf(books, lists)
    if (problem === null) return noteWhatIsSeen(books, lists)
    if (changes === 0) throw problem
  }
}

function problemOf(books: SellerBooks, lists: Lists): Error | null {
  try {
    expectKnownStates(books, lists)
    expectMoney(books, lists)
    return null
  } catch (error) {
    return error as Error
  }
}

/** Waits until nothing is under way. */
export async function untilAtRest(world: World, books: SellerBooks): Promise<void> {
  const giveUpAt = Date.now() + restWithinMs
  for (;;) {
    await expectAgreement(world, books)
    if (countUnderWay(books) === 0) break
    if (Date.now() > giveUpAt) throw new Error(`still under way: ${JSON.stringify(books)}`)
    await sleep(300)
  }
  await expectPresentMonth(world, books)
  await expectBooksNow(world)
}

async function readLists(world: World, { token }: SellerBooks): Promise<Lists> {
  const read = async (path: string) => expectStatus(await call(world, "GET", path, { token }), 200).data
  const [transactions, withdrawals, me, mine, statement] = await Promise.all([
    read("/payments/transactions") as Promise<{
      transactions: (Row & { refundedAmount: number })[]
      summary: Record<string, number>
    }>,
    read("/withdrawals") as Promise<{ withdrawals: Row[]; summary: Record<string, number> }>,
    read("/users/me") as Promise<{ user: { balance: number } }>,
    read("/users/myBalance") as Promise<{ balance: number }>,
    read("/users/me/statement") as Promise<{ closing: number }>,
  ])
  return {
    codes: new Map(transactions.transactions.map(({ _id, status }) => [_id, status])),
    refundedCents: new Map(transactions.transactions.map((row) => [row._id, Math.round(row.refundedAmount * 100)])),
    withdrawals: new Map(withdrawals.withdrawals.map(({ _id, status }) => [_id, status])),
    sums: {
      ...transactions.summary,
      ...withdrawals.summary,
      me: me.user.balance,
      mine: mine.balance,
      statement: statement.closing,
    },
  }
}

interface Row {
  _id: string
  status: string
}

function expectKnownStates(books: SellerBooks, lists: Lists): void {
  expect([...lists.codes.keys()].toSorted()).toEqual(books.codes.map(({ id }) => id).toSorted())
  expect([...lists.withdrawals.keys()].toSorted()).toEqual(books.withdrawals.map(({ id }) => id).toSorted())
  for (const code of books.codes) {
    expect(possibleOf(books, code), `the code ${code.id}, ${code.state}`).toContain(lists.codes.get(code.id))
    if (code.state === "ended") expect(lists.codes.get(code.id)).toBe("cancelado")
  }
  for (const withdrawal of books.withdrawals) {
    const possible = withdrawal.isSeen ? [endOf(withdrawal)] : [withdrawal.state, endOf(withdrawal)]
    expect(possible, `the withdrawal ${withdrawal.id}`).toContain(lists.withdrawals.get(withdrawal.id))
  }
}

function possibleOf(books: SellerBooks, code: Code): string[] {
  if (code.state === "expired") return hasEnded(books, code.page) ? ["expirado", "cancelado"] : ["expirado"]
  if (code.state !== "paid") return ["pendente", "cancelado"]
  const paid = code.backSeenCents === code.amountCents ? ["estornado"] : isBack(code) ? ["pago", "estornado"] : ["pago"]
  return code.isSeen ? paid : ["pendente", "cancelado", "expirado", ...paid]
}

/** A code of a page that was closed or filled as night fell ended before it could expire. */
function hasEnded(books: SellerBooks, page: Page | null): boolean {
  return page !== null && (page.state !== "active" || isFull(books, page))
}

function expectMoney(books: SellerBooks, lists: Lists): void {
  const having = (...states: string[]) => books.codes.filter(({ id }) => states.includes(lists.codes.get(id) ?? ""))
  const credited = having("pago", "estornado")
  const refunded = (code: Code) => lists.refundedCents.get(code.id) ?? 0
  const gross = sum(credited.map((code) => code.amountCents - refunded(code)))
  const money = moneyOf(credited, books.withdrawals, ({ id }) => lists.withdrawals.get(id) ?? "")
  expect(lists.sums).toMatchObject({
    me: reais(money.available),
    mine: reais(money.available),
    statement: reais(money.available),
    available: reais(money.available),
    inProgress: reais(money.onItsWay),
    withdrawn: reais(money.out),
    totalGross: reais(gross),
    totalRefunded: reais(sum(credited.map(refunded))),
    pendingGross: reais(sum(having("pendente").map(({ amountCents }) => amountCents))),
    count: books.codes.length,
    paidCount: having("pago").length,
    pendingCount: having("pendente").length,
  } satisfies Record<string, number>)
  expectNetOfTheSums(lists.sums)
  if (credited.every((code) => refunded(code) === refundedOf(code))) {
    const refundedFee = sum(credited.flatMap(({ refunds }) => refunds.map(({ feeCents }) => feeCents)))
    expect(lists.sums).toMatchObject({
      totalFee: reais(sum(credited.map(({ feeCents }) => feeCents)) - refundedFee),
      totalReceived: reais(money.available + money.onItsWay + money.out),
    })
  }
  expectNoDebt(money)
}

function expectNetOfTheSums({ totalGross = 0, totalFee = 0, totalReceived = 0 }: Record<string, number>): void {
  expect(Math.round((totalGross - totalFee) * 100)).toBe(Math.round(totalReceived * 100))
}

function expectNoDebt({ available, onItsWay, out }: Money): void {
  expect(Math.min(available, onItsWay, out)).toBeGreaterThanOrEqual(0)
}

function noteWhatIsSeen(books: SellerBooks, lists: Lists): void {
  for (const code of books.codes) {
    const status = lists.codes.get(code.id)
    code.isSeen = status === "pago" || status === "estornado"
    code.backSeenCents = lists.refundedCents.get(code.id) ?? 0
  }
  for (const withdrawal of books.withdrawals) {
    const status = lists.withdrawals.get(withdrawal.id)
    withdrawal.isSeen = status === endOf(withdrawal)
  }
}

function reais(cents: number): number {
  return cents / 100
}
