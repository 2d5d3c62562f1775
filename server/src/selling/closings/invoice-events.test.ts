import { invoiceEventTypes } from "@tilinta/contract/vocabulary/events"
import { afterAll, describe, expect, test } from "vitest"
import { readEvents } from "#integrations/event-feed/feed"
import { updateCustomer } from "#selling/customers/manage"
import { openInvoiceSandbox } from "../../../test-support/invoice-sandbox.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { cancelInvoice, expireInvoices, publishOverdueInvoices, updateInvoice } from "./invoices.ts"

const { sandbox, at, sellerId, seller, own, now, changeSeller, create, ask, pay } = await openInvoiceSandbox()
afterAll(() => sandbox.close())

describe("integrators hear", () => {
  const heard = async () => {
    await numberAllEvents(sandbox.db)
    const { events } = await readEvents(sandbox.db, {
      sellerId: sellerId(),
      after: 0,
      limit: 100,
      types: [...invoiceEventTypes],
    })
    return events.map(({ type }) => type)
  }

  test("of each step of an invoice once, and of an overdue one from nine o'clock on", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const invoice = await create()
    await updateInvoice(sandbox, own(invoice), { terms: { amount: 90 }, order: {} })
    at("2026-12-11T08:59:00")
    await publishOverdueInvoices(sandbox)
    expect(await heard()).toEqual(["invoice.created", "invoice.updated"])
    at("2026-12-11T09:00:00")
    await Promise.all([publishOverdueInvoices(sandbox), publishOverdueInvoices(sandbox)])
    await publishOverdueInvoices(sandbox)
    const charge = await ask(invoice)
    await Promise.all([pay(charge), pay(charge)])
    const cancelled = await create({ terms: { dueDate: "2026-12-20" } })
    await cancelInvoice(sandbox, own(cancelled))
    expect(await heard()).toEqual([
      "invoice.created",
      "invoice.updated",
      "invoice.overdue",
      "invoice.paid",
      "invoice.created",
      "invoice.cancelled",
    ])
  })

  test("of the same again after it got more time", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const invoice = await create({ terms: { daysAfterDue: 0 } })
    at("2026-12-11T12:00:00")
    await Promise.all([expireInvoices(sandbox), publishOverdueInvoices(sandbox)])
    await updateInvoice(sandbox, own(invoice), { terms: { dueDate: "2026-12-14", daysAfterDue: 30 }, order: {} })
    at("2026-12-15T12:00:00")
    await publishOverdueInvoices(sandbox)
    expect(await heard()).toEqual(["invoice.created", "invoice.expired", "invoice.updated", "invoice.overdue"])
  })

  test("what an invoice was like then, and of its customer what is true now", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const { customer, id } = await create()
    await updateInvoice(sandbox, own({ id }), { terms: { amount: 90 }, description: "Outra", order: {} })
    await updateCustomer(sandbox, { seller: seller(), id: customer.id, changes: { name: "Bruno Reis" } })
    await numberAllEvents(sandbox.db)
    const { events } = await readEvents(sandbox.db, {
      sellerId: sellerId(),
      after: 0,
      limit: 10,
      types: ["invoice.created"],
    })
    expect(events).toMatchObject([
      {
        invoice: {
          ...{
            description: "Mensalidade",
            revision: 1,
            terms: { amountCents: 10_000 },
            createdAt: now(),
            updatedAt: now(),
          },
          customer: { name: "Bruno Reis" },
        },
      },
    ])
  })
})
