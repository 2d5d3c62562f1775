import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { expect } from "vitest"
import { expectStatus } from "../shop.ts"
import { expectBooksNow } from "./books-by-day.ts"
import {
  backSoFar,
  blockedFor,
  type Code,
  centsOf,
  countUnderWay,
  type Dispute,
  endOf,
  feeBackOf,
  isFull,
  isInDoubt,
  isUndecided,
  moneyOf,
  type Page,
  paidBackOf,
  possibleStatesOf,
  type SellerBooks,
  type Shown,
  sum,
} from "./seller-books.ts"
import { expectPresentMonth } from "./statement.ts"
import { call, type World } from "./world.ts"

const restWithinMs = 120_000

/** Reserves are released, and drawn from, at moments that nobody here knows. */
const changesOfReserves = 4

interface Lists {
  codes: Map<string, string>
  refundedCents: Map<string, number>
  /** The states of refunds whose end is in doubt. */
  refunds: Map<string, string>
  withdrawals: Map<string, Shown>
  /** Those that may still move money. */
  disputes: { codeId: string | undefined; amountCents: number; blockedCents: number; status: string }[]
  sums: Record<string, number>
}

/**
 * At any time: every amount on every screen follows from the states in the lists. Only what changed during the reads
 * may disagree, and anything under way changes at most twice.
 */
export async function expectAgreement(world: World, books: SellerBooks): Promise<void> {
  for (let changes = 2 * countUnderWay(books) + changesOfReserves; ; changes -= 1) {
    const lists = await readLists(world, books)
    const problem = problemOf(books, lists)
    if (problem === null) return noteWhatIsSeen(books, lists, world)
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

async function readLists(world: World, { token, codes }: SellerBooks): Promise<Lists> {
  const read = async (path: string) => expectStatus(await call(world, "GET", path, { token }), 200).data
  const [transactions, withdrawals, me, mine, statement, disputed, refunds] = await Promise.all([
    read("/payments/transactions") as Promise<{
      transactions: (Row & { refundedAmount: number })[]
      summary: Record<string, number>
    }>,
    read("/withdrawals") as Promise<{
      withdrawals: (Row & { returnedAmount: number })[]
      summary: Record<string, number>
    }>,
    read("/users/me") as Promise<{ user: { balance: number } }>,
    read("/users/myBalance") as Promise<{ balance: number }>,
    read("/users/me/statement") as Promise<{ closing: number }>,
    read("/payments/disputes") as Promise<{ disputes: DisputeRow[]; summary: { blocked: number } }>,
    Promise.all(codes.filter(isInDoubt).map(({ id }) => read(`/payments/transactions/${id}/refunds`))) as Promise<
      { refunds: Row[] }[]
    >,
  ])
  return {
    codes: new Map(transactions.transactions.map(({ _id, status }) => [_id, status])),
    refundedCents: new Map(transactions.transactions.map((row) => [row._id, Math.round(row.refundedAmount * 100)])),
    refunds: new Map(refunds.flatMap((each) => each.refunds).map(({ _id, status }) => [_id, status])),
    withdrawals: new Map(
      withdrawals.withdrawals.map(({ _id, status, returnedAmount }) => [
        _id,
        { status, returnedCents: centsOf(returnedAmount) },
      ]),
    ),
    disputes: disputed.disputes.map(({ transaction, amount, blocked, status }) => ({
      codeId: transaction?._id,
      amountCents: centsOf(amount),
      blockedCents: centsOf(blocked),
      status,
    })),
    sums: {
      ...transactions.summary,
      ...withdrawals.summary,
      me: me.user.balance,
      mine: mine.balance,
      statement: statement.closing,
      blockedByDisputes: disputed.summary.blocked,
    },
  }
}

interface Row {
  _id: string
  status: string
}

interface DisputeRow {
  amount: number
  blocked: number
  status: string
  transaction: { _id: string } | null
}

function expectKnownStates(books: SellerBooks, lists: Lists): void {
  expect([...lists.codes.keys()].toSorted()).toEqual(books.codes.map(({ id }) => id).toSorted())
  expect([...lists.withdrawals.keys()].toSorted()).toEqual(books.withdrawals.map(({ id }) => id).toSorted())
  for (const code of books.codes) {
    expect(possibleOf(books, code), `the code ${code.id}, ${code.state}`).toContain(lists.codes.get(code.id))
    if (code.state === "ended") expect(lists.codes.get(code.id)).toBe("cancelado")
  }
  for (const withdrawal of books.withdrawals) {
    expect(possibleStatesOf(withdrawal), `the withdrawal ${withdrawal.id}`).toContainEqual(
      lists.withdrawals.get(withdrawal.id),
    )
  }
  for (const dispute of books.disputes) {
    expect(possibleOfDispute(dispute), `the dispute ${dispute.id}`).toContain(shownOf(books, lists, dispute))
  }
}

function possibleOf(books: SellerBooks, code: Code): string[] {
  if (code.state === "expired") return hasEnded(books, code.page) ? ["expirado", "cancelado"] : ["expirado"]
  if (code.state !== "paid") return ["pendente", "cancelado"]
  const isBack = paidBackOf(code) === code.amountCents
  const paid = code.backSeenCents === code.amountCents ? ["estornado"] : isBack ? ["pago", "estornado"] : ["pago"]
  return code.isSeen ? paid : ["pendente", "cancelado", "expirado", ...paid]
}

/** Only the last dispute of a payment can still be live. */
function shownOf(books: SellerBooks, { disputes }: Lists, dispute: Dispute): string | null {
  const { code } = dispute
  if (books.disputes.findLast((each) => each.code === code) !== dispute) return null
  return disputes.find(({ codeId }) => codeId === code.id)?.status ?? null
}

/** Null: it moves no money any more, or is not known yet. */
function possibleOfDispute({ state, isDefended, isSeen, wasSeen }: Dispute): (string | null)[] {
  const open = isDefended ? ["open", "defended"] : ["open"]
  const end = state === "open" ? open : [null]
  if (isSeen) return end
  return [...(wasSeen ? [] : [null]), ...open, ...(state === "accepted" ? ["accepted"] : []), ...end]
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
  const paid = credited.map((code) => ({ ...code, backCents: backOf(lists, code) }))
  const unknown = { status: "", returnedCents: 0 }
  const money = moneyOf(books, paid, ({ id }) => lists.withdrawals.get(id) ?? unknown)
  const { blocked = 0, toCome = 0, statement = 0 } = lists.sums
  const available = money.left - centsOf(blocked) - centsOf(toCome)
  expect(lists.sums).toMatchObject({
    me: reais(available),
    mine: reais(available),
    available: reais(available),
    inProgress: reais(money.onItsWay),
    withdrawn: reais(money.out),
    blockedByDisputes: blocked,
    totalGross: reais(gross),
    totalRefunded: reais(sum(credited.map(refunded))),
    pendingGross: reais(sum(having("pendente").map(({ amountCents }) => amountCents))),
    count: books.codes.length,
    paidCount: having("pago").length,
    pendingCount: having("pendente").length,
  } satisfies Record<string, number>)
  expectNetOfTheSums(lists.sums)
  // Sales of the last seconds stand in the statement until the job has held what waits of them.
  expect(centsOf(statement)).toBeGreaterThanOrEqual(available)
  expect(centsOf(statement)).toBeLessThanOrEqual(available + centsOf(toCome))
  if (paid.every((code) => refunded(code) === code.backCents)) {
    expect(lists.sums).toMatchObject({
      totalFee: reais(sum(paid.map((code) => code.feeCents - feeBackOf(code)))),
      totalReceived: reais(money.received),
    })
  }
  expectBlocks(books, lists)
  expect(Math.min(money.onItsWay, money.out, centsOf(blocked), centsOf(toCome))).toBeGreaterThanOrEqual(0)
  if (!books.mayOwe) expect(available).toBeGreaterThanOrEqual(0)
}

function expectNetOfTheSums({ totalGross = 0, totalFee = 0, totalReceived = 0 }: Record<string, number>): void {
  expect(Math.round((totalGross - totalFee) * 100)).toBe(Math.round(totalReceived * 100))
}

/** The blocked amount is the sum over the disputes; at rest each blocks the seller's part of what the bank may take. */
function expectBlocks(books: SellerBooks, { disputes, sums }: Lists): void {
  expect(sum(disputes.map(({ blockedCents }) => blockedCents))).toBe(centsOf(sums["blocked"] ?? 0))
  if (countUnderWay(books) > 0) return
  const open = books.disputes.filter(isUndecided)
  const wanted = open.map(({ code, amountCents }) => blockedFor(code, amountCents))
  expect(disputes.map(({ blockedCents }) => blockedCents).toSorted()).toEqual(wanted.toSorted())
}

/** The part of a payment that is back by these lists, or on its way back. */
function backOf(lists: Lists, code: Code): number {
  const { refunds } = code
  const seen = refunds.map((each) => ({ ...each, seen: each.seen && (lists.refunds.get(each.id) ?? each.seen) }))
  return backSoFar({ ...code, refunds: seen, takenSeenCents: takenOf(lists, code) })
}

/** Nothing else goes back of a payment while the bank takes some of it, so all that is more than ours is the bank's. */
function takenOf(lists: Lists, { id, refunds, takenCents, takenSeenCents }: Code): number {
  if (takenSeenCents === takenCents) return takenCents
  const ours = sum(refunds.filter(({ end }) => end === "completed").map(({ amountCents }) => amountCents))
  return Math.max(takenSeenCents, (lists.refundedCents.get(id) ?? 0) - ours)
}

function noteWhatIsSeen(books: SellerBooks, lists: Lists, { ruleChanges }: World): void {
  for (const code of books.codes) {
    const status = lists.codes.get(code.id)
    code.takenSeenCents = takenOf(lists, code)
    code.isSeen = status === "pago" || status === "estornado"
    code.backSeenCents = lists.refundedCents.get(code.id) ?? 0
    for (const each of code.refunds) each.seen &&= lists.refunds.get(each.id) ?? each.seen
  }
  for (const withdrawal of books.withdrawals) {
    withdrawal.isSeen = isDeepStrictEqual(lists.withdrawals.get(withdrawal.id), endOf(withdrawal))
  }
  for (const dispute of books.disputes) {
    const shown = shownOf(books, lists, dispute)
    dispute.wasSeen ||= shown !== null
    const isTaken = dispute.state !== "accepted" || dispute.code.takenSeenCents === dispute.code.takenCents
    dispute.isSeen = (dispute.state === "open") === (shown !== null) && isTaken
  }
  books.told = { availableCents: centsOf(lists.sums["available"] ?? 0), ruleChanges }
}

function reais(cents: number): number {
  // Plus zero, because less than nothing may be rounded to a zero below it.
  return cents / 100 + 0
}
