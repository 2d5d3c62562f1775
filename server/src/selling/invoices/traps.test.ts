import { dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { afterAll, beforeAll, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { cancelInvoice, expireInvoices, publishOverdueInvoices, updateInvoice } from "#selling/closings/invoices"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { createInvoice, getOwnInvoice } from "./create.ts"
import { findInvoiceDifferences } from "./reads.ts"
import { stateOn } from "./rules.ts"

/** Traps of charging by a due day, as mode `daily` meets them: docs/invoices.md lists all of them. */
let now = new Date("2026-12-10T12:00:00-03:00")
const sandbox = withSharedClock(await openSandbox(), { now: () => now })
let sellerId: string

beforeAll(async () => {
  sellerId = await createSeller(sandbox)
})
afterAll(async () => {
  expect(await findInvoiceDifferences(sandbox.db)).toEqual([])
  expect(await verifyLedger(sandbox.db)).toEqual([])
  await sandbox.close()
})

const at = (moment: string) => {
  now = new Date(`${moment}-03:00`)
}
const own = ({ id }: { id: string }) => ({ id, seller: { id: sellerId, address: "127.0.0.1" } })
const usual: SentTerms = {
  amount: 100,
  dueDate: "2026-12-10",
  daysAfterDue: 30,
  fine: { type: "percent", value: 2 },
  interest: { type: "percentMonth", value: 1 },
}
const create = (terms: Partial<SentTerms> = {}) =>
  createInvoice(sandbox, {
    seller: { id: sellerId, address: "127.0.0.1" },
    customer: customerFieldsFrom({ name: "Bruno Lima" }),
    terms: dueTermsOf({ ...usual, ...terms }),
    description: "Mensalidade",
    order: noOrder,
    mode: "daily",
    idempotencyKey: null,
  })
const ask = ({ pageId }: { pageId: string }) =>
  createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
const pay = (charge: { txid: string; amountCents: number }, paidAt = now) =>
  bookPayments(sandbox, [{ ...receiptOf(charge.txid, charge.amountCents), paidAt }])
const read = ({ id }: { id: string }) => getOwnInvoice(sandbox.db, { id, sellerId })
const waiting = () => sandbox.db.selectFrom("unmatched_payments").selectAll().execute()

test("1: money with fine and interest is credited, and waits for nobody", async () => {
  at("2026-12-10T12:00:00")
  const invoice = await create()
  at("2026-12-21T12:00:00")
  await pay(await ask(invoice))
  expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: 10_237, fineCents: 200 } })
  expect(await waiting()).toEqual([])
})

test("2: the fee is of what was paid, at the rate when the invoice was made, whatever it is when its code is", async () => {
  at("2026-12-10T12:00:00")
  const invoice = await create()
  await sandbox.db.updateTable("users").set({ fee_basis_points: 100 }).where("id", "=", sellerId).execute()
  at("2026-12-21T12:00:00")
  const charge = await ask(invoice)
  await pay(charge)
  await sandbox.db.updateTable("users").set({ fee_basis_points: null }).where("id", "=", sellerId).execute()
  const booked = await sandbox.db
    .selectFrom("charges")
    .select(["amount_cents", "fee_cents"])
    .where("id", "=", charge.id)
    .executeTakeFirst()
  expect(booked).toEqual({ amount_cents: 10_237, fee_cents: 1_536 })
})

test("3: the day is São Paulo's until its last second, whenever the bank tells of the payment", async () => {
  at("2026-12-10T12:00:00")
  const invoice = await create()
  at("2026-12-10T21:30:00")
  await publishOverdueInvoices(sandbox)
  expect(stateOn(await read(invoice), "2026-12-10")).toBe("due_today")
  const charge = await ask(invoice)
  expect(charge.amountCents).toBe(10_000)
  const paidAt = new Date("2026-12-10T23:59:58-03:00")
  at("2026-12-11T00:00:03")
  await pay(charge, paidAt)
  const paid = await read(invoice)
  expect([stateOn(paid, "2026-12-11"), paid.paid?.paidCents]).toEqual(["paid", 10_000])
})

test.each([
  ["20/11, a Friday", "2026-11-20", "2026-11-23"],
  ["carnival", "2027-02-08", "2027-02-10"],
  ["31/12, and then New Year", "2027-12-31", "2027-12-31"],
  ["29/02", "2028-02-29", "2028-03-01"],
])("4: %s counts until a day on which banks work", (_name, dueDate, lastWithoutFine) => {
  const terms = dueTermsOf({ ...usual, dueDate })
  expect(dueAmountOn(terms, lastWithoutFine).fine).toBe(0)
})

test("5: yesterday's code ends before today's is made, and money that was faster pays its own amount", async () => {
  at("2026-12-10T12:00:00")
  const invoice = await create()
  const yesterday = await ask(invoice)
  at("2026-12-11T00:00:10")
  const today = await ask(invoice)
  expect([yesterday.amountCents, today.amountCents]).toEqual([10_000, 10_203])
  await pay(yesterday, new Date("2026-12-10T23:59:59-03:00"))
  expect(await read(invoice)).toMatchObject({ status: "paid", chargeId: yesterday.id, paid: { paidCents: 10_000 } })
  await pay(today)
  expect(await read(invoice)).toMatchObject({ chargeId: yesterday.id, paid: { paidCents: 10_000 } })
  const twice = await sandbox.db.selectFrom("charges").select("is_duplicate").where("id", "=", today.id).execute()
  expect(twice).toEqual([{ is_duplicate: true }])
})

test("6: an edit or a cancellation that races the payment and midnight leaves one outcome and one payment", async () => {
  for (let round = 0; round < 6; round += 1) {
    at("2026-12-10T23:59:59")
    const invoice = await create()
    const charge = await ask(invoice)
    const paidAt = now
    now = new Date("2026-12-11T00:00:01-03:00")
    const outcomes = await Promise.allSettled([
      pay(charge, paidAt),
      updateInvoice(sandbox, own(invoice), { terms: { amount: 120, dueDate: "2026-12-20" }, order: {} }),
      cancelInvoice(sandbox, own(invoice)),
      ask(invoice),
      expireInvoices({ ...sandbox, psp: { bankTime: () => null } }),
    ])
    expect(outcomes[0]?.status).toBe("fulfilled")
    const after = await read(invoice)
    expect(["paid", "cancelled"]).toContain(after.status)
    const paid = await sandbox.db
      .selectFrom("charges")
      .select(["id", "amount_cents"])
      .where("page_id", "=", invoice.pageId)
      .where("paid_at", "is not", null)
      .execute()
    expect(paid).toEqual([{ id: charge.id, amount_cents: 10_000 }])
    await expect(ask(invoice)).rejects.toMatchObject({ code: expect.stringMatching(/already_paid|not_found/) })
  }
})
