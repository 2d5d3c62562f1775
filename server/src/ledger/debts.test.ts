import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { giveBalance } from "../../test-support/give-balance.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import {
  type AccountId,
  feeRevenue,
  pspClearing,
  refundsUnderWay,
  sellerAvailable,
  sellerBlocked,
  sellerHeld,
} from "./accounts.ts"
import { isBelowFloor, type LedgerTransaction, type Posting, postTransactions } from "./post-transactions.ts"
import { readBalance, verifyLedger } from "./reads.ts"

let sellerId: string

const database = await createTestDatabase()

beforeEach(() => {
  sellerId = newId()
})

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  await database.drop()
})

const clearing = pspClearing("simulator")

async function post(kind: LedgerTransaction["kind"], debit: AccountId, credit: AccountId, cents: number) {
  return book(kind, [{ debit, credit, amountCents: cents as Cents }])
}

async function overdraw(kind: LedgerTransaction["kind"], debit: AccountId, credit: AccountId, cents: number) {
  return book(kind, [{ debit, credit, amountCents: cents as Cents, mayOverdraw: true }])
}

async function book(kind: LedgerTransaction["kind"], postings: Posting[]) {
  const transaction = { kind, reference: newId(), sellerId, occurredAt: new Date(), postings }
  await database.db.transaction().execute((tx) => postTransactions(tx, [transaction]))
}

const available = () => sellerAvailable(sellerId)
const balance = () => readBalance(database.db, available())
const takenByBank = (cents: number) => overdraw("refund-by-bank", available(), clearing, cents)
const withdraw = (cents: number) => post("withdrawal", available(), sellerHeld(sellerId), cents)

async function expectRefused(work: Promise<void>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(isBelowFloor(error)).toBe(true)
}

test("W21: what the bank took is booked also below zero, and nothing can be spent before it is paid off", async () => {
  await giveBalance(database.db, sellerId, 1_000)
  await withdraw(1_000)
  await takenByBank(700)
  expect(await balance()).toBe(-700)
  await expectRefused(withdraw(1))
  await giveBalance(database.db, sellerId, 500)
  expect(await balance()).toBe(-200)
  await expectRefused(withdraw(1))
  await giveBalance(database.db, sellerId, 300)
  await withdraw(100)
  await expectRefused(withdraw(1))
  expect(await balance()).toBe(0)
})

test.for<[LedgerTransaction["kind"], () => AccountId]>([
  ["refund-by-bank", () => clearing],
  ["refund-by-bank", () => sellerBlocked(sellerId)],
  ["dispute-blocked", () => sellerBlocked(sellerId)],
  ["dispute-blocked", () => clearing],
])(
  "an ordinary posting stays above the floor, whatever its kind and accounts are called: %s",
  async ([kind, credit]) => {
    await expectRefused(post(kind, available(), credit(), 1))
    expect(await balance()).toBe(0)
  },
)

test.for<[LedgerTransaction["kind"], () => AccountId]>([
  ["payment-accepted", () => feeRevenue],
  ["withdrawal", () => sellerHeld(sellerId)],
])("a posting that may overdraw does, whatever its kind and accounts are called: %s", async ([kind, credit]) => {
  await overdraw(kind, available(), credit(), 300)
  expect(await balance()).toBe(-300)
  await expectRefused(withdraw(1))
})

test("of one transaction, only the posting that says so may overdraw", async () => {
  const debt = { debit: available(), credit: clearing, amountCents: 100 as Cents, mayOverdraw: true } as const
  const ordinary = { debit: available(), credit: feeRevenue, amountCents: 1 as Cents }
  await expectRefused(book("refund-by-bank", [debt, ordinary]))
  await book("refund-by-bank", [debt])
  expect(await balance()).toBe(-100)
})

test("a debt grows only by what the bank takes", async () => {
  await takenByBank(300)
  await takenByBank(200)
  expect(await balance()).toBe(-500)
  await expectRefused(post("refund", available(), refundsUnderWay("simulator"), 1))
  await expectRefused(post("payout-completed", available(), clearing, 1))
  await expectRefused(post("payment-accepted", available(), feeRevenue, 1))
})

test("a seller in debt can still be paid: the fee of a receipt is no new debt", async () => {
  await takenByBank(2_000)
  const postings = [
    { debit: clearing, credit: available(), amountCents: 1_000 as Cents },
    { debit: available(), credit: feeRevenue, amountCents: 150 as Cents },
  ]
  const payment = { kind: "payment-accepted", reference: newId(), sellerId, occurredAt: new Date(), postings } as const
  await database.db.transaction().execute((tx) => postTransactions(tx, [payment]))
  expect(await balance()).toBe(-1_150)
})

test("no other account can owe: what is held stays at zero or above", async () => {
  await expectRefused(overdraw("refund-by-bank", sellerHeld(sellerId), clearing, 1))
  await expectRefused(overdraw("refund-by-bank", refundsUnderWay("simulator"), clearing, 1))
})

test("twenty withdrawals at once with the bank's own refund never spend more than there was", async () => {
  await giveBalance(database.db, sellerId, 1_000)
  const work = Array.from({ length: 20 }, (_, index) => (index === 10 ? takenByBank(800) : withdraw(100)))
  const results = await Promise.allSettled(work)
  const done = results.filter(({ status }, index) => status === "fulfilled" && index !== 10).length
  expect(results[10]?.status).toBe("fulfilled")
  expect(await balance()).toBe(200 - done * 100)
  await expectRefused(withdraw(201))
})
