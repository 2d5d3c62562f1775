import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { timesOf } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import type { PaymentReceived } from "#psp/psp"
import { cancelInvoice, settleInvoiceOutside, updateInvoice } from "#selling/closings/invoices"
import { issueCycles } from "#selling/subscriptions/issue"
import { pauseSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { cancelDebit, createDebit, retryableOf } from "./debits.ts"
import { getDebit } from "./reads.ts"
import { toOwnDebitView } from "./views.ts"

const world = await openAutomaticSandbox()
const { sandbox, bank, at, own, subscribe, request, approve, run, withDebit, debitOf } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

const titleOf = ({ content }: { content: unknown }) => JSON.stringify(content)

/** The seller's notices of this debit, and its customer's mails. */
async function toldOf({ id }: { id: string }) {
  const [notices, mails] = await Promise.all([
    sandbox.db.selectFrom("notices").select("content").where("dedupe_key", "like", `${id}%`).orderBy("id").execute(),
    sandbox.db
      .selectFrom("mails")
      .select("content")
      .where("dedupe_key", "like", `%${id}:debit%`)
      .orderBy("id")
      .execute(),
  ])
  return { seller: notices.map(titleOf), customer: mails.map(titleOf) }
}

async function withFailedDebit() {
  const made = await withDebit()
  bank.schedule(made.debit.txid)
  at("2026-12-31", "21:31")
  bank.fail(made.debit.txid, "expired", null)
  await run()
  expect(await getDebit(sandbox.db, made.debit.id)).toMatchObject({ retryDay: "2027-01-02" })
  return made
}

type Made = Awaited<ReturnType<typeof withDebit>>

const waysToCallOff: [string, (made: Made) => Promise<unknown>][] = [
  ["received outside", ({ invoice }) => settleInvoiceOutside(sandbox, own(invoice), "Em dinheiro")],
  ["of a cancelled invoice", ({ invoice }) => cancelInvoice(sandbox, own(invoice))],
  ["cancelled by the seller", ({ debit }) => cancelDebit(sandbox, own(debit))],
  [
    "of a paused subscription",
    ({ subscription }) => pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false }),
  ],
]

async function toCheck({ endToEndId }: PaymentReceived) {
  const filter = { statuses: ["open"], search: endToEndId } as const
  const { payments } = await listUnmatchedPayments(sandbox.db, filter, { limit: 10, offset: 0 })
  return payments.map(({ reason, suggestion }) => ({ reason, suggestion }))
}

describe.each(waysToCallOff)("30: a debit %s that comes all the same is checked", (_why, callOff) => {
  test.each(["without an answer", "with one"])("%s to its cancellation", async (how) => {
    const made = await withDebit()
    at("2026-12-30", "20:50")
    await callOff(made)
    if (how === "without an answer") bank.fault("cancelDebit", "unknown")
    await run()
    expect((await getDebit(sandbox.db, made.debit.id)).endedAt === null).toBe(how === "without an answer")
    at("2026-12-31", "06:00")
    const receipt = bank.pay(made.debit.txid)
    await bookPayments(sandbox, [receipt])
    await bookPayments(sandbox, [receipt])
    expect(await toCheck(receipt)).toEqual([{ reason: "late", suggestion: "return" }])
    expect((await debitOf(made.subscription)).invoice.status).toBe("paid")
  })
})

test("30: a debit of a cancelled invoice is late before any job has called it off", async () => {
  const { invoice, debit } = await withDebit()
  at("2026-12-30", "20:50")
  await cancelInvoice(sandbox, own(invoice))
  at("2026-12-31", "06:00")
  const receipt = bank.pay(debit.txid)
  await bookPayments(sandbox, [receipt])
  expect(await toCheck(receipt)).toEqual([{ reason: "late", suggestion: "return" }])
})

const cancelled = expect.stringContaining("O débito foi cancelado. O cliente paga pelo link.")

test("a debit that was announced, and is called off, is told to customer and seller once", async () => {
  const { subscription, debit } = await withDebit()
  await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
  await run()
  await run()
  const { seller, customer } = await toldOf(debit)
  expect(seller).toEqual([cancelled])
  expect(customer).toEqual([
    expect.stringContaining("debit_coming"),
    expect.stringContaining("O débito foi cancelado."),
  ])
})

test("nothing is told of a debit that nobody has to pay any more", async () => {
  const { invoice, debit } = await withDebit()
  await settleInvoiceOutside(sandbox, own(invoice), "Em dinheiro")
  await run()
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
  expect(await toldOf(debit)).toEqual({ seller: [], customer: [expect.stringContaining("debit_coming")] })
})

test("a debit that its customer cancels at the bank is told", async () => {
  const { debit } = await withDebit()
  bank.set(debit.txid, { state: "cancelled", endedCode: "CCLD" })
  await run()
  expect((await toldOf(debit)).seller).toEqual([expect.stringContaining("O cliente cancelou o débito no banco dele.")])
})

test.each<[string, (made: Made) => Promise<unknown>]>([
  ["refused by the bank", async () => bank.fault("retryDebit", "rejected")],
  [
    "called off by a pause",
    ({ subscription }) => pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false }),
  ],
  ["called off by the seller", ({ debit }) => cancelDebit(sandbox, own(debit))],
])("another attempt that was announced, and is %s, is told", async (_how, stop) => {
  const made = await withFailedDebit()
  await stop(made)
  at("2027-01-01", "08:00")
  await run()
  await run()
  expect((await getDebit(sandbox.db, made.debit.id)).endedAt).not.toBeNull()
  const { seller, customer } = await toldOf(made.debit)
  expect(seller).toEqual([expect.stringContaining("Nova tentativa em 02/01/2027."), cancelled])
  expect(customer).toHaveLength(3)
})

test("the seller hears of the day to which an attempt moves that was missed, and of the last one's end", async () => {
  const made = await withFailedDebit()
  at("2027-01-01", "20:30")
  await run()
  await run()
  at("2027-01-06", "20:30")
  await run()
  const { seller, customer } = await toldOf(made.debit)
  const days = ["02/01/2027", "03/01/2027"].map((day) => expect.stringContaining(`Nova tentativa em ${day}.`))
  expect(seller).toEqual([...days, cancelled])
  expect(customer).toHaveLength(3)
})

test("a debit that the bank never knew is called off without an alarm", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  at("2026-12-24")
  bank.fault("createDebit", "unknown")
  await run()
  await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
  await run()
  world.later(61)
  await run()
  expect((await debitOf(subscription)).debit).toMatchObject({ status: "cancelled", endedAt: expect.any(Date) })
  expect(world.alarms).toEqual([])
})

test("another attempt can be called off until it is sent", async () => {
  const { debit, mandate, invoice } = await withFailedDebit()
  const until = async () => {
    const locked = { debit: await getDebit(sandbox.db, debit.id), mandate, invoice }
    return toOwnDebitView(await retryableOf(sandbox.db, locked, timesOf(sandbox.clock))).cancellableUntil
  }
  expect(await until()).toBe("2027-01-01T11:00:00.000Z")
  at("2027-01-01", "08:00")
  expect(await until()).toBeNull()
})

describe("12: nothing is debited on a day that the customer didn't authorise", () => {
  test("after the invoice was moved, until it is moved back", async () => {
    const subscription = await subscribe()
    await approve(await request(subscription))
    at("2026-12-22")
    await issueCycles(sandbox)
    const { invoice } = await debitOf(subscription)
    await updateInvoice(sandbox, own(invoice), { terms: { dueDate: "2027-01-04" }, order: {} })
    at("2026-12-28", "09:00")
    await run()
    expect((await debitOf(subscription)).debit).toBeNull()
    await updateInvoice(sandbox, own(invoice), { terms: { dueDate: "2026-12-31" }, order: {} })
    await run()
    expect((await debitOf(subscription)).debit).toMatchObject({ dueDay: "2026-12-31" })
  })

  test("when it is moved while the debit is made", async () => {
    const subscription = await subscribe()
    const mandate = await approve(await request(subscription))
    at("2026-12-24")
    await issueCycles(sandbox)
    const { invoice } = await debitOf(subscription)
    const cycle = { invoiceId: invoice.id, pageId: invoice.pageId, mandateId: mandate.id, dueDay: "2026-12-31" }
    await updateInvoice(sandbox, own(invoice), { terms: { dueDate: "2027-01-01" }, order: {} })
    const created = await sandbox.db
      .transaction()
      .execute((tx) => createDebit(tx, cycle, sandbox.payersUrl, timesOf(sandbox.clock)))
    expect(created).toBe(0)
  })
})
