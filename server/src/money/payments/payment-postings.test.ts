import { feeOf, percentFee } from "@tilinta/contract/vocabulary/fee"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newTxid } from "#kit/ids"
import { createLog } from "#kit/log"
import { pspClearing, sellerAvailable, suspense } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { bookPayments } from "./book.ts"

const database = await createTestDatabase()
const [sellerId = ""] = await insertSellers(database.db, 2)
const [pageId = ""] = await insertChargePages(database.db, [{ sellerId, at: "2026-11-01T12:00:00Z" }])

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  await database.drop()
})

/** Charges of 15 % fee over these amounts, not yet paid. */
async function openCharges(amounts: number[]) {
  const ids = await insertCharges(
    database.db,
    amounts.map((amountCents) => ({ sellerId, pageId, status: "pending", at: "2026-11-10T12:00:00Z", amountCents })),
  )
  return database.db.selectFrom("charges").select(["id", "txid", "amount_cents"]).where("id", "in", ids).execute()
}

const book = (payments: ReturnType<typeof receiptOf>[]) =>
  bookPayments({ db: database.db, clock: systemClock, log: createLog("silent") }, payments)

async function postingsOf(endToEndId: string) {
  const { rows } = await sql`
    select kind, debit_account as debit, credit_account as credit, amount_cents as cents
    from ledger_postings where reference = ${endToEndId} order by line`.execute(database.db)
  return rows
}

// Amounts up to 3 centavos have no fee, and the ledger takes positive amounts only.
test("a payment is booked gross in, then fee out, and never lowers the seller's balance", async () => {
  const amounts = [1, 2, 3, 4, 7, 10, 99, 101, 1_000, 33_333, 999_999_999]
  const receipts = (await openCharges(amounts)).map(({ txid, amount_cents: cents }) => receiptOf(txid, cents))
  const seller = sellerAvailable(sellerId)
  const before = await readBalance(database.db, seller)
  await book(receipts)
  let net = 0
  for (const { endToEndId, amountCents, provider } of receipts) {
    const fee = feeOf(percentFee(15), amountCents)
    const gross = { kind: "payment", debit: pspClearing(provider), credit: seller, cents: amountCents }
    const feeLine = { kind: "payment", debit: seller, credit: "fee-revenue", cents: fee }
    expect(await postingsOf(endToEndId)).toEqual(fee > 0 ? [gross, feeLine] : [gross])
    expect(fee).toBeLessThanOrEqual(amountCents)
    net += amountCents - fee
  }
  expect(await readBalance(database.db, seller)).toBe(before + net)
})

test("uncredited money goes to suspense in full", async () => {
  const received = receiptOf(newTxid(new Date()), 777)
  await book([received])
  expect(await postingsOf(received.endToEndId)).toEqual([
    {
      kind: "unmatched-payment",
      debit: pspClearing(received.provider),
      credit: suspense(received.provider),
      cents: 777,
    },
  ])
})

test.for([
  ["another amount", { amount: 999, fee: 150 }],
  ["another fee", { amount: 1_000, fee: 0 }],
  ["another seller", { amount: 1_000, fee: 150, seller: "gen_random_uuid()" }],
  ["no charge of ours", { amount: 1_000, fee: 150, charge: "gen_random_uuid()" }],
] as const)("the database refuses a payment with %s", async ([, facts]) => {
  const [charge] = await openCharges([1_000])
  const right = { seller: `'${sellerId}'`, charge: `'${charge?.id}'`, amount: 1_000, fee: 150 }
  const id = `E-${charge?.id}`
  const pay = `update charges set status = 'paid', paid_at = now(), end_to_end_id = '${id}' where id = '${charge?.id}'`
  const insertOf = (named: Record<keyof typeof right, string | number>) =>
    `insert into payments (end_to_end_id, provider, charge_id, seller_id, amount_cents, fee_cents, paid_at, disposition)
    values ('${id}', 'simulator', ${named.charge}, ${named.seller}, ${named.amount}, ${named.fee}, now(), 'credited')`
  const wrong = database.pool.query(`${pay}; ${insertOf({ ...right, ...facts })}`)
  await expect(wrong).rejects.toThrow("names no charge of ours, or another seller, amount or fee")
  await database.pool.query(`${pay}; ${insertOf(right)}`)
})

test.for([
  ["an unpaid charge", "open", ""],
  ["a charge that another one paid", "paid", ""],
  ["an unpaid charge that names it", "open", "update charges set end_to_end_id = 'E-second' where id = $1"],
] as const)("the database refuses to credit a payment for %s", async ([, state, before]) => {
  const [charge] = await openCharges([1_000])
  if (state === "paid") await book([receiptOf(charge?.txid ?? "", 1_000)])
  if (before !== "") await database.pool.query(before, [charge?.id])
  const insert = `insert into payments (end_to_end_id, provider, charge_id, seller_id, amount_cents, fee_cents, paid_at, disposition)
    values ('E-second', 'simulator', '${charge?.id}', '${sellerId}', 1000, 150, now(), 'credited')`
  await expect(database.pool.query(insert)).rejects.toThrow("another one paid the charge")
})

test("the payment that paid a charge never becomes another one", async () => {
  const [charge] = await openCharges([1_000])
  await book([receiptOf(charge?.txid ?? "", 1_000)])
  const another = "update charges set end_to_end_id = 'E-second' where id = $1"
  await expect(database.pool.query(another, [charge?.id])).rejects.toThrow("paid stays paid")
  await expect(
    database.pool.query("update charges set paid_at = null, status = 'pending' where id = $1", [charge?.id]),
  ).rejects.toThrow("paid stays paid")
})

test("no amount of centavos is lost between the charge and the balance", async () => {
  const before = await readBalance(database.db, sellerAvailable(sellerId))
  const amounts = Array.from({ length: 200 }, (_, index) => 1 + ((index * 7_919) % 100_000))
  await book((await openCharges(amounts)).map(({ txid, amount_cents: cents }) => receiptOf(txid, cents)))
  const net = amounts.reduce((sum, cents) => sum + cents - feeOf(percentFee(15), cents as Cents), 0)
  expect(await readBalance(database.db, sellerAvailable(sellerId))).toBe(before + net)
})
