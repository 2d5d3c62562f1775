import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { cancelInvoice, settleInvoiceOutside } from "#selling/closings/invoices"
import { cancelSubscription, pauseSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox, refusedAs } from "../../../test-support/automatic-sandbox.ts"
import { cancelDebit } from "./debits.ts"
import { cancelMandate } from "./manage.ts"
import { getDebit } from "./reads.ts"

const world = await openAutomaticSandbox()
const { sandbox, bank, at, own, subscribe, request, approve, run, debitOf, codeOf } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

const dueDays = [
  { name: "a Saturday", dueDate: "2026-12-12", sentOn: "2026-12-07", between: "2026-12-12", eve: "2026-12-13" },
  { name: "a Friday's holiday", dueDate: "2026-12-25", sentOn: "2026-12-21", between: "2026-12-26", eve: "2026-12-27" },
  { name: "carnival", dueDate: "2027-02-06", sentOn: "2027-02-03", between: "2027-02-08", eve: "2027-02-09" },
]
type DueDay = (typeof dueDays)[number]

async function withDebitDue({ dueDate, sentOn }: DueDay) {
  const subscription = await subscribe({ terms: { dueDate } })
  const mandate = await approve(await request(subscription))
  at(sentOn, "09:00")
  await run()
  const { invoice, debit } = await debitOf(subscription)
  if (debit === null) throw new Error("no debit was made")
  bank.schedule(debit.txid)
  await run()
  return { subscription, mandate, invoice, debit }
}

describe.each(dueDays)("a debit that is due on $name is settled on the next business day", (day) => {
  test.each<[string, (made: Awaited<ReturnType<typeof withDebitDue>>) => Promise<unknown>]>([
    ["a cancelled invoice", ({ invoice }) => cancelInvoice(sandbox, own(invoice))],
    [
      "an invoice that was settled outside",
      ({ invoice }) => settleInvoiceOutside(sandbox, own(invoice), "Em dinheiro"),
    ],
    ["a pause", ({ subscription }) => pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })],
    [
      "an ended one",
      ({ subscription }) => cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true }),
    ],
    ["a cancelled authorisation", ({ mandate }) => cancelMandate(sandbox, own(mandate))],
    ["the seller's word", ({ debit }) => cancelDebit(sandbox, own(debit))],
  ])("and called off until the evening before that: %s", async (_name, end) => {
    const made = await withDebitDue(day)
    at(day.between, "10:00")
    await end(made)
    await run()
    expect(bank.calls).toContain(`cancelDebit ${made.debit.txid}`)
    expect(await getDebit(sandbox.db, made.debit.id)).toMatchObject({ status: "cancelled" })
  })

  test("until when its link has a code", async () => {
    const { invoice, debit, subscription } = await withDebitDue(day)
    at(day.between, "10:00")
    await codeOf(invoice)
    at(day.eve, "20:54")
    expect((await codeOf(invoice)).expiresAt).toEqual(new Date(`${day.eve}T21:00:00-03:00`))
    at(day.eve, "21:00")
    await expect(codeOf(invoice)).rejects.toEqual(refusedAs("debit_under_way"))
    await expect(cancelDebit(sandbox, own(debit))).rejects.toEqual(refusedAs("debit_too_late"))
    const words = { code: "debit_under_way", shownMessage: expect.stringContaining("estornar") }
    await expect(cancelInvoice(sandbox, own(invoice))).rejects.toMatchObject(words)
    await expect(settleInvoiceOutside(sandbox, own(invoice), "Em dinheiro")).rejects.toMatchObject(words)
    await cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true })
    expect((await debitOf(subscription)).invoice.status).toBe("open")
  })
})

test("it is sent in the days in which the bank takes it: ten before its settlement, not before its due day", async () => {
  const subscription = await subscribe({ terms: { dueDate: "2027-02-06" } })
  await approve(await request(subscription))
  for (const day of ["2027-01-30", "2027-02-02"]) {
    at(day)
    await run()
    expect((await debitOf(subscription)).debit).toBeNull()
  }
  at("2027-02-03", "00:10")
  await run()
  expect((await debitOf(subscription)).debit).toMatchObject({ dueDay: "2027-02-06", isSent: true })
})
