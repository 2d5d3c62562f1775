import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { afterAll, afterEach, expect, test } from "vitest"
import { type Clock, secondsAfter, systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { sellerAvailable, sellerReserved } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import { readBalance, verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { requestRefund } from "#money/refunds/request"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { compareStatements } from "#money/statements/reads"
import { monthAt, readStatement } from "#money/statements/statement"
import { requestWithdrawal } from "#money/withdrawals/request"
import { createCharge } from "#selling/charges/create"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { moveReserves, postDrawing } from "./move.ts"
import { readToCome, verifyReserves } from "./reads.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })

afterEach(async () => {
  await setRules({ settlementDays: 0, percent: 0, days: 0 })
  await reserveAll()
})

afterAll(async () => {
  expect(await verifyReserves(sandbox.db)).toEqual([])
  expect(await compareStatements(sandbox.db)).toEqual([])
  expect(await verifyLedger(sandbox.db)).toEqual([])
  await sandbox.close()
})

async function setRules({ settlementDays = 0, percent = 0, days = 0 }): Promise<void> {
  await saveSetting(sandbox.db, "SETTLEMENT_DAYS", settlementDays)
  await saveSetting(sandbox.db, "RESERVE_PERCENT", percent)
  await saveSetting(sandbox.db, "RESERVE_DAYS", days)
}

/** Sells for this much, of which 15 % are the fee. Returns the charge's id. */
async function sell(sellerId: string, reais = 100): Promise<string> {
  const page = await createPage(sandbox, { sellerId, reais })
  const { txid, id } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  await bookPayments(sandbox, [receiptOf(txid, Math.round(reais * 100))])
  return id
}

/** Other tests' transactions hold sales back for a moment. */
async function reserveAll(): Promise<void> {
  await expect
    .poll(
      async () => {
        await moveReserves(sandbox)
        const { rows } = await sql`
          select from balance_movements where xid >= (select below from reserve_progress)
          and kind in ('payment', 'payment-accepted')`.execute(sandbox.db)
        return rows.length
      },
      { timeout: 20_000 },
    )
    .toBe(0)
}

const daysLater = (days: number): Clock => ({ now: () => secondsAfter(systemClock.now(), days * 86_400) })
const moveOn = (days: number) => moveReserves({ db: sandbox.db, clock: daysLater(days) })

async function moneyOf(sellerId: string) {
  const [available, toCome, booked] = await Promise.all([
    readSellerBalance(sandbox.db, sellerId),
    readToCome(sandbox.db, sellerId),
    readBalance(sandbox.db, sellerReserved(sellerId)),
  ])
  return { available, toCome, booked }
}

const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const

function withdraw(sellerId: string, cents: number) {
  const seller = { id: sellerId, address: null }
  return requestWithdrawal(sandbox, { seller, amountCents: cents as Cents, destination, idempotencyKey: null })
}

function refund(sellerId: string, chargeId: string, cents: number) {
  const actor = { id: sellerId, address: null }
  return requestRefund(sandbox, {
    ...{ chargeId, actor, origin: "seller", amountCents: cents as Cents, reason: "", idempotencyKey: null },
  })
}

test("a part of each sale's net waits, half up, whether it is held yet or not, and comes back on its day", async () => {
  await setRules({ percent: 10, days: 30 })
  const sellerId = await createSeller(sandbox)
  // Net 85.00 and 0.85 (fee 0.15): 8.50 and 0.085, which is 0.09.
  await sell(sellerId)
  await sell(sellerId, 1)
  expect(await moneyOf(sellerId)).toEqual({ available: 7_726, toCome: 859, booked: 0 })
  await expect(withdraw(sellerId, 7_727)).rejects.toThrow("insufficient_balance")

  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 7_726, toCome: 859, booked: 859 })
  expect((await findRefundDifferences(sandbox.db)).filter(({ what }) => what.includes(sellerId))).toEqual([])
  await expect(withdraw(sellerId, 7_727)).rejects.toThrow("insufficient_balance")
  await moveOn(29)
  expect((await moneyOf(sellerId)).booked).toBe(859)
  await moveOn(30)
  expect(await moneyOf(sellerId)).toEqual({ available: 8_585, toCome: 0, booked: 0 })

  const linesOf = async (month: string) =>
    (await readStatement(sandbox, { sellerId, month, after: undefined, limit: 100 })).lines.map(
      ({ kind, amountCents }) => `${kind} ${amountCents}`,
    )
  // Held at once or, next to a transaction that is still open between the two sales, one after the other.
  expect(["reserve -859", "reserve -850 reserve -9"]).toContain(
    (await linesOf(monthAt(systemClock.now()))).filter((line) => line.startsWith("reserve")).join(" "),
  )
  expect((await linesOf(monthAt(daysLater(30).now()))).at(-1)).toBe("reserve_released 859")
})

test("with D+n the net waits, and the reserve longer; both run once, however often the job runs", async () => {
  await setRules({ settlementDays: 2, percent: 10, days: 30 })
  const sellerId = await createSeller(sandbox)
  await sell(sellerId)
  expect(await moneyOf(sellerId)).toEqual({ available: 0, toCome: 8_500, booked: 0 })
  await Promise.all([moveOn(0), moveOn(0), moveOn(0)])
  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 0, toCome: 8_500, booked: 8_500 })
  await Promise.all([moveOn(2), moveOn(2), moveOn(2)])
  expect(await moneyOf(sellerId)).toEqual({ available: 7_650, toCome: 850, booked: 850 })
  await moveOn(2)
  await moveOn(30)
  await moveOn(31)
  expect(await moneyOf(sellerId)).toEqual({ available: 8_500, toCome: 0, booked: 0 })
})

test("withdrawals that race the job and the release never take what waits", async () => {
  await setRules({ percent: 50, days: 5 })
  const sellerId = await createSeller(sandbox)
  await sell(sellerId)
  const requests = Array.from({ length: 6 }, () => withdraw(sellerId, 1_500))
  const results = await Promise.allSettled([...requests, moveOn(0), moveOn(0)])
  expect(results.slice(6).every(({ status }) => status === "fulfilled")).toBe(true)
  // 42.50 of the 85.00 are free: two of 15.00.
  expect(results.slice(0, 6).filter(({ status }) => status === "fulfilled")).toHaveLength(2)
  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 1_250, toCome: 4_250, booked: 4_250 })

  const again = Array.from({ length: 6 }, () => withdraw(sellerId, 1_500))
  await Promise.allSettled([...again, moveOn(5), moveOn(5)])
  const { available, booked } = await moneyOf(sellerId)
  expect(booked).toBe(0)
  const { rows } = await sql<{ cents: number }>`
    select sum(amount_cents)::bigint as cents from withdrawals where seller_id = ${sellerId}`.execute(sandbox.db)
  expect(available + (rows[0]?.cents ?? 0)).toBe(8_500)
})

test("a refund takes from the reserve what the balance lacks, before or after the job alike", async () => {
  await setRules({ settlementDays: 3 })
  const [early, late] = [await createSeller(sandbox), await createSeller(sandbox)]
  const [one, other] = [await sell(early), await sell(late)]
  await sell(early)
  await sell(late)
  await refund(early, one, 6_000)
  await reserveAll()
  await refund(late, other, 6_000)
  const left = { available: 0, toCome: 11_900, booked: 11_900 }
  expect([await moneyOf(early), await moneyOf(late)]).toEqual([left, left])
  await moveOn(3)
  expect((await moneyOf(late)).available).toBe(11_900)
})

function takenByBank(sellerId: string, cents: number) {
  const posting = { debit: sellerAvailable(sellerId), credit: sellerReserved(sellerId), amountCents: cents as Cents }
  const clearing = { ...posting, credit: "psp-clearing:simulator" as typeof posting.credit, mayOverdraw: true as const }
  const reference = newId()
  return sandbox.db
    .transaction()
    .execute((tx) =>
      postDrawing(tx, [{ kind: "refund-by-bank", reference, sellerId, occurredAt: new Date(), postings: [clearing] }]),
    )
}

test("the bank's debits use up the reserve before they make a debt, also many at once and during the release", async () => {
  await setRules({ percent: 100, days: 10 })
  const sellerId = await createSeller(sandbox)
  await sell(sellerId)
  await reserveAll()
  await Promise.all([...Array.from({ length: 5 }, () => takenByBank(sellerId, 1_000)), moveOn(10)])
  const { available, booked } = await moneyOf(sellerId)
  expect({ available, booked }).toEqual({ available: 3_500, booked: 0 })
  await takenByBank(sellerId, 5_000)
  expect((await moneyOf(sellerId)).available).toBe(-1_500)
  // Sales pay the debt first: only the rest is held. The tenth day was released by the clock of above.
  await setRules({ percent: 100, days: 11 })
  await sell(sellerId)
  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 0, toCome: 7_000, booked: 7_000 })
})

test("with everything off nothing is held, and what is held keeps its day", async () => {
  await setRules({ percent: 20, days: 7 })
  const sellerId = await createSeller(sandbox)
  await sell(sellerId)
  await reserveAll()
  await setRules({ percent: 0, days: 7 })
  await sell(sellerId)
  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 15_300, toCome: 1_700, booked: 1_700 })
  // A sale that was passed while nothing was held stays free.
  await setRules({ percent: 20, days: 7 })
  await reserveAll()
  expect((await moneyOf(sellerId)).toCome).toBe(1_700)
})

test("credits of the ledger alone are no sales", async () => {
  await setRules({ percent: 50, days: 7 })
  const sellerId = await createSeller(sandbox)
  const [debit, credit] = ["psp-clearing:simulator" as ReturnType<typeof sellerAvailable>, sellerAvailable(sellerId)]
  const posting = { debit, credit, amountCents: 100 as Cents }
  const returned = {
    kind: "payout-returned",
    reference: newId(),
    sellerId,
    occurredAt: new Date(),
    postings: [posting],
  } as const
  await sandbox.db.transaction().execute((tx) => postTransactions(tx, [{ ...returned, postings: [posting] }]))
  await reserveAll()
  expect(await moneyOf(sellerId)).toEqual({ available: 100, toCome: 0, booked: 0 })
})
