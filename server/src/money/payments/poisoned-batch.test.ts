import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newTxid } from "#kit/ids"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import type { PaymentReceived } from "#psp/psp"
import { openPayerTokens } from "#selling/charges/payer-data"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { bookPayments } from "./book.ts"
import { enqueuePaymentMails } from "./mails.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const at = "2026-11-20T12:00:00Z"

const database = await createTestDatabase()
const sellers = await insertSellers(database.db, 7)
const quietSeller: string = sellers.pop() ?? ""
const pages = await insertChargePages(
  database.db,
  sellers.map((sellerId) => ({ sellerId, at })),
)

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  expect(await findPaymentDifferences(database.db)).toEqual([])
  await database.drop()
})

const book = (payments: PaymentReceived[]) =>
  bookPayments({ db: database.db, clock: systemClock, log: createLog("silent") }, payments)

/** Unpaid codes over 10.00, spread over the sellers from `first` on. */
async function openTxids(count: number, first = 0): Promise<string[]> {
  const owners = sellers.slice(first)
  const ids = await insertCharges(
    database.db,
    Array.from({ length: count }, (_, index) => {
      const owner = first + (index % owners.length)
      return { sellerId: sellers[owner] ?? "", pageId: pages[owner] ?? "", status: "pending" as const, at }
    }),
  )
  const rows = await database.db.selectFrom("charges").select("txid").where("id", "in", ids).execute()
  return rows.map(({ txid }) => txid ?? "")
}

/** The database transactions that wrote these payments, and the payments' outcomes. */
async function bookingsOf(payments: PaymentReceived[]) {
  const { rows } = await sql<{ id: string; reason: string | null; writer: string; times: number }>`
    select payment.end_to_end_id as id, payment.reason, payment.xmin::text as writer, (
      select count(*) from ledger_postings
      where reference = payment.end_to_end_id and kind in ('payment', 'unmatched-payment') and line = 1
    ) as times
    from payments payment where payment.end_to_end_id = any(${payments.map(({ endToEndId }) => endToEndId)}::text[])`.execute(
    database.db,
  )
  return {
    transactions: new Set(rows.map(({ writer }) => writer)).size,
    times: new Set(rows.map(({ times }) => times)),
    reasons: new Map(rows.map(({ id, reason }) => [id, reason])),
  }
}

test("poison of every kind among fifty good payments: all is booked as it should be, in one transaction", async () => {
  const txids = await openTxids(53, 1)
  const good = txids.slice(0, 50).map((txid) => receiptOf(txid, 1_000))
  const [first, second] = good as [PaymentReceived, PaymentReceived]
  const [ofClosedSeller = ""] = await openTxids(1, 5)
  await database.db
    .updateTable("users")
    .set({ active: false })
    .where("id", "=", sellers[5] ?? "")
    .execute()
  const known = receiptOf(txids[50] ?? "", 1_000)
  await book([known])
  const unknown = receiptOf(newTxid(new Date()), 700)
  const nameless = receiptOf(null, 800)
  const wrong = receiptOf(txids[51] ?? "", 999)
  const twice = receiptOf(first.txid, 1_000)
  const closed = receiptOf(ofClosedSeller, 1_000)
  const batch = [unknown, ...good.slice(0, 20), second, known, wrong, nameless, ...good.slice(20), twice, closed, first]

  await book(batch)
  const { transactions, times, reasons } = await bookingsOf([...good, unknown, nameless, wrong, twice, closed])
  expect(transactions).toBe(1)
  expect(times).toEqual(new Set([1]))
  expect([...good, closed].map(({ endToEndId }) => reasons.get(endToEndId))).toEqual(Array(51).fill(null))
  expect([unknown, nameless, wrong, twice].map(({ endToEndId }) => reasons.get(endToEndId))).toEqual([
    "unknown_txid",
    "unknown_txid",
    "wrong_amount",
    "charge_already_paid",
  ])
  const balances = await Promise.all(sellers.map((seller) => readSellerBalance(database.db, seller)))
  expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(52 * 850)
})

test("a batch that dies before its commit leaves nothing, and is booked whole the next time", async () => {
  const batch = (await openTxids(12)).map((txid) => receiptOf(txid, 1_000))
  const [pageOfOne = ""] = await insertChargePages(database.db, [{ sellerId: quietSeller, at, maxPayments: 1 }])
  const oneSale = { sellerId: quietSeller, pageId: pageOfOne, status: "pending", at } as const
  const [soldOnce = ""] = await insertCharges(database.db, [oneSale])
  const { txid } = await database.db
    .selectFrom("charges")
    .select("txid")
    .where("id", "=", soldOnce)
    .executeTakeFirstOrThrow()
  batch.push(receiptOf(txid, 1_000))
  const page = () =>
    database.db
      .selectFrom("charge_pages")
      .select(["status", "payments_count"])
      .where("id", "=", pageOfOne)
      .executeTakeFirstOrThrow()
  const before = await readSellerBalance(database.db, sellers[0] ?? "")
  await asOwner(
    database,
    `create function die() returns trigger language plpgsql security definer as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return null; end $$`,
    "create trigger dying after insert on payments for each statement execute function die()",
  )
  await expect(book(batch)).rejects.toThrow(AggregateError)
  expect((await bookingsOf(batch)).reasons.size).toBe(0)
  await numberAllEvents(database.db)
  const payerTokens = await openPayerTokens({ db: database.db, protection: "relaxed" })
  await enqueuePaymentMails({ db: database.db, clock: systemClock, payerTokens, payersUrl: "http://localhost:3000" })
  const mails = batch.map(({ endToEndId }) => `payment:${endToEndId}`)
  expect(await database.db.selectFrom("mails").select("id").where("dedupe_key", "in", mails).execute()).toEqual([])
  expect(await readSellerBalance(database.db, sellers[0] ?? "")).toBe(before)

  expect(await page()).toEqual({ status: "active", payments_count: 0 })

  await asOwner(database, "drop trigger dying on payments")
  await book(batch)
  expect(await page()).toEqual({ status: "completed", payments_count: 1 })
  expect(await bookingsOf(batch)).toMatchObject({ transactions: 1, times: new Set([1]) })
})

test("concurrent batches with the same payments in other orders are booked once and never deadlock", async () => {
  for (let round = 0; round < 5; round += 1) {
    const known = (await openTxids(60)).map((txid) => receiptOf(txid, 1_000))
    const unknown = Array.from({ length: 20 }, () => receiptOf(newTxid(new Date()), 500))
    const all = [...known, ...unknown]
    const some = all.filter((_, index) => index % 3 !== round % 3)
    await Promise.all([book(all), book(some.toReversed()), book(unknown.toReversed())])
    const { transactions, times, reasons } = await bookingsOf(all)
    expect(reasons.size).toBe(all.length)
    expect(times).toEqual(new Set([1]))
    // A batch took one transaction, without a retry item by item.
    expect(transactions).toBeLessThanOrEqual(3)
  }
})

test("one charge enters a status and another leaves it in the same batch: the kept totals are right", async () => {
  const sellerId = quietSeller
  const [closedPage = "", fillingPage = ""] = await insertChargePages(database.db, [
    { sellerId, at },
    { sellerId, at, maxPayments: 1 },
  ])
  const of = (pageId: string, status: "cancelled" | "pending", amountCents: number) =>
    ({ sellerId, pageId, status, at, amountCents }) as const
  const ids = await insertCharges(database.db, [
    of(closedPage, "cancelled", 1_000),
    of(fillingPage, "pending", 7_000),
    of(fillingPage, "pending", 7_000),
  ])
  const rows = await database.db.selectFrom("charges").select(["id", "txid"]).where("id", "in", ids).execute()
  const txidOf = (index: number) => rows.find(({ id }) => id === ids[index])?.txid ?? ""
  await book([receiptOf(txidOf(0), 1_000), receiptOf(txidOf(1), 7_000)])
  const cancelled = database.db.selectFrom("charge_totals").select(["count", "gross_cents"])
  expect(
    await cancelled.where("seller_id", "=", sellerId).where("status", "=", "cancelled").executeTakeFirstOrThrow(),
  ).toEqual({ count: 1, gross_cents: 7_000 })
  expect(await findPaymentDifferences(database.db)).toEqual([])
})
