import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { afterAll, expect, test } from "vitest"
import { type Clock, dueToday, secondsAfter, systemClock } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { expireInvoices, publishOverdueInvoices } from "#selling/closings/invoices"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { createInvoice, getOwnInvoice } from "./create.ts"
import { amountOn, stateOn } from "./rules.ts"

const sandbox = await openSandbox()
const sellerId = await createSeller(sandbox)
afterAll(() => sandbox.close())

const dayMs = 86_400_000
let aheadDays = 0
// Noon, so that no run of the test is near midnight.
const noon = new Date(`${dueToday(systemClock)}T12:00:00-03:00`)
const clock: Clock = { now: () => noon, aheadMs: () => aheadDays * dayMs }
const deps = { ...sandbox, clock }

test("in the sandbox next month is a minute away: days move, and the true time stays", async () => {
  const invoice = await createInvoice(deps, {
    seller: { id: sellerId, address: "127.0.0.1" },
    customer: customerFieldsFrom({ name: "Bruno Lima" }),
    terms: dueTermsOf({
      amount: 100,
      dueDate: dueToday(clock),
      daysAfterDue: 60,
      fine: { type: "percent", value: 2 },
    }),
    description: "Mensalidade",
    order: noOrder,
    mode: "daily",
    idempotencyKey: null,
  })
  const read = () => getOwnInvoice(sandbox.db, { id: invoice.id, sellerId })
  const ask = () => createCharge(deps, { pageId: invoice.pageId, customerInfo: null, idempotencyKey: null })
  const today = await ask()
  expect(today.amountCents).toBe(10_000)

  aheadDays = 31
  await sandbox.passAtBank(31 * dayMs)
  expect(stateOn(await read(), dueToday(clock))).toBe("overdue")
  expect(amountOn(await read(), dueToday(clock)).amount).toBe(10_200)
  await publishOverdueInvoices(deps)

  const charge = await ask()
  expect(charge).toMatchObject({ amountCents: 10_200, createdAt: noon })
  // The code ends with the day that was moved to, by the true time.
  expect(charge.expiresAt.getTime() - noon.getTime()).toBe((12 * 3600 - 1) * 1000)
  expect((await sandbox.pay(charge.pixCode ?? "")).status).toBe(201)
  const old = await sandbox.db.selectFrom("charges").select("closed_as").where("id", "=", today.id).executeTakeFirst()
  expect(old).toEqual({ closed_as: "cancelled" })
  await bookPayments(deps, [{ ...receiptOf(charge.txid, 10_200), paidAt: secondsAfter(noon, (31 * dayMs) / 1000) }])
  expect(stateOn(await read(), dueToday(clock))).toBe("paid_late")
  expect((await read()).paid).toMatchObject({ originalCents: 10_000, fineCents: 200, differenceCents: 0 })

  const audited = await sandbox.db.selectFrom("audit_records").select("happened_at").execute()
  expect(audited.map(({ happened_at }) => happened_at)).toEqual(audited.map(() => noon))
  const published = await sandbox.db.selectFrom("event_drafts").select("type").execute()
  expect(published.map(({ type }) => type)).toContain("invoice.overdue")
})

test("an invoice is over by the day that was moved to", async () => {
  aheadDays = 0
  const invoice = await createInvoice(deps, {
    seller: { id: sellerId, address: "127.0.0.1" },
    customer: customerFieldsFrom({ name: "Carla Reis" }),
    terms: dueTermsOf({ amount: 50, dueDate: dueToday(clock), daysAfterDue: 10 }),
    description: "",
    order: noOrder,
    mode: "daily",
    idempotencyKey: null,
  })
  aheadDays = 62
  await expireInvoices(deps)
  expect((await getOwnInvoice(sandbox.db, { id: invoice.id, sellerId })).status).toBe("expired")
})
