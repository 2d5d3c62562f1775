import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import type { PaymentReceived } from "#psp/psp"
import { cancelInvoice, settleInvoiceOutside } from "#selling/closings/invoices"
import { pauseSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { cancelDebit } from "./debits.ts"
import { getDebit } from "./reads.ts"

const world = await openAutomaticSandbox()
const { sandbox, bank, at, own, run, withDebit, debitOf } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

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
