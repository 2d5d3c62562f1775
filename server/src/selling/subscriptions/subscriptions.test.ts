import { subscriptionEventTypes } from "@tilinta/contract/vocabulary/events"
import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { readEvents } from "#integrations/event-feed/feed"
import { daysAfter, saoPauloDay } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { createCharge } from "#selling/charges/create"
import { cancelInvoice } from "#selling/closings/invoices"
import { eraseOwnData } from "#selling/customers/own-data"
import { customerFieldsFrom } from "#selling/customers/rules"
import { eraseCustomersAsking } from "#selling/customers/table"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { issueCycles, settleSubscriptions } from "./issue.ts"
import {
  cancelSubscription,
  createSubscription,
  pauseSubscription,
  resumeSubscription,
  type SubscriptionDraft,
  updateSubscription,
} from "./manage.ts"
import { findSubscriptionDifferences, getOwnSubscription, listCycles, sumSubscriptions } from "./reads.ts"

let now = new Date("2026-12-01T12:00:00-03:00")
const sandbox = Object.assign(withSharedClock(await openSandbox(), { now: () => now }), {
  payersUrl: "http://pagar.example",
})
let sellerId: string

beforeEach(async () => {
  now = new Date("2026-12-01T12:00:00-03:00")
  sellerId = await createSeller(sandbox)
})
afterAll(() => sandbox.close())

const at = (day: string) => {
  now = new Date(`${day}T12:00:00-03:00`)
}
const seller = () => ({ id: sellerId, address: "127.0.0.1" })
const own = ({ id }: { id: string }) => ({ id, seller: seller() })
const bruno = { name: "Bruno Lima", document: "52998224725", email: "bruno@exemplo.com.br" }
const refusedAs = (code: string) => expect.objectContaining({ code })

type Given = Partial<Omit<SubscriptionDraft, "terms">> & { terms?: Partial<SentTerms>; idempotencyKey?: string }

function create({ terms = {}, idempotencyKey, ...draft }: Given = {}) {
  return createSubscription(sandbox, {
    seller: seller(),
    idempotencyKey: idempotencyKey ?? null,
    customer: customerFieldsFrom(bruno),
    title: "Mensalidade",
    period: "monthly",
    terms: dueTermsOf({ amount: 100, dueDate: "2026-12-31", daysAfterDue: 30, ...terms }),
    endsOn: null,
    cycles: null,
    leadDays: 10,
    ...draft,
  })
}

const read = ({ id }: { id: string }) => getOwnSubscription(sandbox.db, { id, sellerId })
const cyclesOf = async ({ id }: { id: string }) =>
  (await listCycles(sandbox.db, id, { before: 1000, limit: 100 })).toReversed()
const daysOf = async (subscription: { id: string }) => (await cyclesOf(subscription)).map(({ dueDay }) => dueDay)
const sound = async () => expect(await findSubscriptionDifferences(sandbox.db)).toEqual([])

/** Every day from the present one to the given one, as the job sees them. */
async function liveUntil(day: string): Promise<void> {
  for (let each = saoPauloDay(now); each <= day; each = daysAfter(each, 1)) {
    at(each)
    await issueCycles(sandbox)
    await settleSubscriptions(sandbox)
  }
}

async function payAll(subscription: { id: string }): Promise<void> {
  for (const { invoice } of await cyclesOf(subscription)) {
    if (invoice.status !== "open") continue
    const charge = await createCharge(sandbox, {
      pageId: invoice.pageId,
      customerInfo: null,
      idempotencyKey: null,
    })
    await bookPayments(sandbox, [{ ...receiptOf(charge.txid, charge.amountCents), paidAt: now }])
  }
}

async function heard(): Promise<string[]> {
  await numberAllEvents(sandbox.db)
  const { events } = await readEvents(sandbox.db, {
    sellerId,
    after: 0,
    limit: 100,
    types: [...subscriptionEventTypes],
  })
  return events.map(({ type }) => type)
}

describe("the job", () => {
  test("charges each cycle some days before, on the 31st and on the last day of shorter months", async () => {
    const subscription = await create({ terms: { amount: 89.9 } })
    expect(await daysOf(subscription)).toEqual([])
    await liveUntil("2026-12-20")
    expect(await daysOf(subscription)).toEqual([])
    await liveUntil("2026-12-21")
    expect(await daysOf(subscription)).toEqual(["2026-12-31"])
    await liveUntil("2027-04-25")
    expect(await daysOf(subscription)).toEqual(["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"])
    const [first] = await cyclesOf(subscription)
    expect(first?.invoice).toMatchObject({
      subscriptionId: subscription.id,
      description: "Mensalidade",
      terms: { amountCents: 8990, dueDay: "2026-12-31" },
    })
    await sound()
  })

  test("one that can't be charged holds up none of the others, and is not kept quiet", async () => {
    const [lost, other] = [
      await create(),
      await create({ customer: customerFieldsFrom({ name: "Carla Dias", email: "carla@exemplo.com.br" }) }),
    ]
    const nobody = { name: "", document: null, email: null, phone: null, erased_at: now }
    await sandbox.db.updateTable("customers").set(nobody).where("id", "=", lost.customer.id).execute()
    at("2026-12-25")
    await expect(issueCycles(sandbox)).rejects.toThrow("subscriptions that could not be charged")
    expect(await daysOf(other)).toEqual(["2026-12-31"])
    await cancelSubscription(sandbox, { ...own(lost), cancelOpenInvoices: false })
  })

  test("a customer is not erased who gets a subscription while the erasure waits for them", async () => {
    const { id, customer } = await create()
    await cancelSubscription(sandbox, { ...own({ id }), cancelOpenInvoices: false })
    const subscribe = sandbox.db.transaction().execute(async (tx) => {
      await tx.selectFrom("customers").select("id").where("id", "=", customer.id).forNoKeyUpdate().execute()
      const erasing = sandbox.db.transaction().execute((other) => eraseCustomersAsking(other, now, customer.id))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await tx.updateTable("subscriptions").set({ status: "active", ended_at: null }).where("id", "=", id).execute()
      return { erasing }
    })
    expect(await (await subscribe).erasing).toEqual([])
    await cancelSubscription(sandbox, { ...own({ id }), cancelOpenInvoices: false })
  })

  test("twice is once, and so are many at once", async () => {
    const subscription = await create()
    at("2026-12-25")
    await issueCycles(sandbox)
    await issueCycles(sandbox)
    expect(codesOf(await times(6, () => issueCycles(sandbox)))).toEqual({ ok: 6 })
    expect(await daysOf(subscription)).toEqual(["2026-12-31"])
    at("2027-01-25")
    expect(codesOf(await times(6, () => issueCycles(sandbox)))).toEqual({ ok: 6 })
    expect(await daysOf(subscription)).toEqual(["2026-12-31", "2027-01-31"])
    await sound()
  })

  test("catches up three cycles a run, the oldest first, which are due today", async () => {
    const subscription = await create()
    at("2027-06-01")
    await issueCycles(sandbox)
    const late = await cyclesOf(subscription)
    expect(late.map(({ dueDay }) => dueDay)).toEqual(["2026-12-31", "2027-01-31", "2027-02-28"])
    expect(late.map(({ invoice }) => invoice.terms.dueDay)).toEqual(["2027-06-01", "2027-06-01", "2027-06-01"])
    await issueCycles(sandbox)
    expect(await daysOf(subscription)).toEqual([
      ...["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"],
    ])
    await issueCycles(sandbox)
    expect(await daysOf(subscription)).toHaveLength(6)
    await sound()
  })

  test("lets discounts end as many days before each due day", async () => {
    const subscription = await create({
      terms: { dueDate: "2026-12-10", discounts: [{ type: "fixed", value: 5, until: "2026-12-05" }] },
    })
    await liveUntil("2027-01-01")
    expect((await cyclesOf(subscription)).map(({ invoice }) => invoice.terms.discount)).toMatchObject([
      { until: [{ day: "2026-12-05" }] },
      { until: [{ day: "2027-01-05" }] },
    ])
  })

  test("charges nobody for an inactive seller, nor afterwards for the time between", async () => {
    const subscription = await create()
    await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", sellerId).execute()
    await liveUntil("2027-03-10")
    expect(await daysOf(subscription)).toEqual([])
    await sandbox.db.updateTable("users").set({ active: true }).where("id", "=", sellerId).execute()
    await liveUntil("2027-03-21")
    expect(await daysOf(subscription)).toEqual(["2027-03-31"])
    await sound()
  })
})

describe("a subscription", () => {
  test("that is due within its lead days is charged at once, once with one key", async () => {
    const terms = { dueDate: "2026-12-01" }
    const [first, again] = [await create({ terms, idempotencyKey: "a" }), await create({ terms, idempotencyKey: "a" })]
    expect(again.id).toBe(first.id)
    expect(await daysOf(first)).toEqual(["2026-12-01"])
    expect(first).toMatchObject({ issued: 1, nextDueDay: "2027-01-01", status: "active" })
    expect(codesOf(await times(5, () => create({ terms, idempotencyKey: "b" })))).toEqual({ ok: 5 })
    expect(
      await sandbox.db.selectFrom("subscriptions").select("id").where("seller_id", "=", sellerId).execute(),
    ).toHaveLength(2)
    await sound()
  })

  test("of three cycles is charged three times, and completed when they are paid", async () => {
    const subscription = await create({ cycles: 3, terms: { dueDate: "2026-12-05", daysAfterDue: 120 } })
    await liveUntil("2027-03-01")
    expect((await cyclesOf(subscription)).map(({ invoice }) => invoice.description)).toEqual([
      ...["Mensalidade (1/3)", "Mensalidade (2/3)", "Mensalidade (3/3)"],
    ])
    expect((await read(subscription)).nextDueDay).toBeNull()
    await payAll(subscription)
    await settleSubscriptions(sandbox)
    expect(await read(subscription)).toMatchObject({ status: "completed", endedAt: now })
    await expect(updateSubscription(sandbox, own(subscription), { amount: 90 })).rejects.toEqual(
      refusedAs("subscription_ended"),
    )
    // The first two became overdue meanwhile.
    expect(await heard()).toEqual(["subscription.created", "subscription.past_due", "subscription.completed"])
  })

  test("that ends on a day has no cycle after it", async () => {
    const subscription = await create({ endsOn: "2027-02-28" })
    await liveUntil("2027-04-30")
    expect(await daysOf(subscription)).toEqual(["2026-12-31", "2027-01-31", "2027-02-28"])
  })

  test("is in arrears while an invoice is overdue, and in order again once it is paid", async () => {
    const subscription = await create({ terms: { dueDate: "2026-12-10" } })
    await liveUntil("2026-12-10")
    expect((await read(subscription)).status).toBe("active")
    await liveUntil("2026-12-11")
    expect((await read(subscription)).status).toBe("past_due")
    expect(
      await sumSubscriptions(sandbox.db, sellerId, { today: "2026-12-11", monthStart: "2026-12-01" }),
    ).toMatchObject({
      ...{ monthlyCents: 10_000, active: 0, pastDue: 1, overdueCents: 10_000 },
    })
    await payAll(subscription)
    expect(codesOf(await times(4, () => settleSubscriptions(sandbox)))).toEqual({ ok: 4 })
    expect((await read(subscription)).status).toBe("active")
    expect(await heard()).toEqual(["subscription.created", "subscription.past_due", "subscription.updated"])
  })

  test("that was paused over several periods is never charged for them", async () => {
    const subscription = await create({ cycles: 4, terms: { dueDate: "2026-12-10" } })
    await liveUntil("2026-12-05")
    await payAll(subscription)
    await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
    await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
    await liveUntil("2027-03-15")
    expect(await daysOf(subscription)).toEqual(["2026-12-10"])
    expect((await read(subscription)).status).toBe("paused")
    await resumeSubscription(sandbox, own(subscription))
    await resumeSubscription(sandbox, own(subscription))
    expect(await read(subscription)).toMatchObject({ status: "active", pausedAt: null, nextDueDay: "2027-04-10" })
    await liveUntil("2027-08-01")
    // The pause takes nothing off the number of cycles.
    expect(await daysOf(subscription)).toEqual(["2026-12-10", "2027-04-10", "2027-05-10", "2027-06-10"])
    await sound()
  })

  test("that is paused again and resumed within a period is charged for it once", async () => {
    const subscription = await create({ terms: { dueDate: "2026-12-10" } })
    for (let round = 0; round < 3; round += 1) {
      await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
      await resumeSubscription(sandbox, own(subscription))
      await issueCycles(sandbox)
    }
    expect(await daysOf(subscription)).toEqual(["2026-12-10"])
  })

  test("with a new price asks it of cycles to come, and tells the customer by mail", async () => {
    const subscription = await create({ terms: { dueDate: "2026-12-10" } })
    await updateSubscription(sandbox, own(subscription), { amount: 120 })
    await updateSubscription(sandbox, own(subscription), { title: "Mensalidade nova" })
    await liveUntil("2027-01-05")
    expect((await cyclesOf(subscription)).map(({ invoice }) => invoice.terms.amountCents)).toEqual([10_000, 12_000])
    const mails = await sandbox.db.selectFrom("mails").selectAll().where("user_id", "=", sellerId).execute()
    const told = mails.filter(({ content }) => (content as { kind: string }).kind === "subscription")
    expect(told).toMatchObject([
      {
        to_address: bruno.email,
        content: { change: "price", formerCents: 10_000, amountCents: 12_000, nextDueDay: "2027-01-10" },
      },
    ])
  })

  test("ends by one of two: a number of cycles takes the place of a day", async () => {
    const subscription = await create({ endsOn: "2027-02-28" })
    expect(await updateSubscription(sandbox, own(subscription), { cycles: 5 })).toMatchObject({
      cycles: 5,
      endsOn: null,
    })
    expect(await updateSubscription(sandbox, own(subscription), { cycles: null })).toMatchObject({ cycles: null })
  })

  test.each([
    { cycles: 1, longer: { cycles: 12 } },
    { endsOn: "2026-12-31", longer: { endsOn: "2027-12-31" } },
  ])("that ran out and goes on isn't charged for the periods between: %o", async ({ longer, ...end }) => {
    const subscription = await create({ terms: { dueDate: "2026-12-10", daysAfterDue: 300 }, ...end })
    expect(await daysOf(subscription)).toEqual(["2026-12-10"])
    at("2027-06-01")
    await settleSubscriptions(sandbox)
    expect(await read(subscription)).toMatchObject({ status: "past_due", nextDueDay: null })
    await updateSubscription(sandbox, own(subscription), { title: "Mensalidade nova" })
    for (let twice = 0; twice < 2; twice += 1) {
      await updateSubscription(sandbox, own(subscription), longer)
      await issueCycles(sandbox)
    }
    expect(await daysOf(subscription)).toEqual(["2026-12-10", "2027-06-10"])
    expect((await read(subscription)).nextDueDay).toBe("2027-07-10")
    await sound()
  })

  test("that is cancelled leaves what was charged to be paid, or cancels it as well", async () => {
    const kept = await create({ terms: { dueDate: "2026-12-10" } })
    const ended = await create({ terms: { dueDate: "2026-12-10" } })
    await cancelSubscription(sandbox, { ...own(kept), cancelOpenInvoices: false })
    await cancelSubscription(sandbox, { ...own(ended), cancelOpenInvoices: true })
    await liveUntil("2027-03-01")
    expect((await cyclesOf(kept)).map(({ invoice }) => invoice.status)).toEqual(["open"])
    expect((await cyclesOf(ended)).map(({ invoice }) => invoice.status)).toEqual(["cancelled"])
    expect((await read(kept)).status).toBe("cancelled")
    at("2026-12-10")
    await payAll(kept)
    expect((await cyclesOf(kept)).map(({ invoice }) => invoice.status)).toEqual(["paid"])
    await expect(cancelSubscription(sandbox, { ...own(kept), cancelOpenInvoices: false })).rejects.toEqual(
      refusedAs("subscription_ended"),
    )
    expect(
      await sumSubscriptions(sandbox.db, sellerId, { today: "2026-12-10", monthStart: "2026-12-01" }),
    ).toMatchObject({
      cancelledThisMonth: 0,
      aliveAtStart: 0,
    })
  })

  test("is cancelled, paused, changed and charged at once with one outcome", async () => {
    const subscription = await create()
    at("2026-12-25")
    const outcomes = await Promise.allSettled([
      cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true }),
      cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true }),
      pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false }),
      updateSubscription(sandbox, own(subscription), { amount: 120 }),
      issueCycles(sandbox),
      issueCycles(sandbox),
    ])
    const codes = codesOf(outcomes)
    expect(Object.keys(codes).filter((code) => code !== "ok" && code !== "subscription_ended")).toEqual([])
    expect((await read(subscription)).status).toBe("cancelled")
    expect((await daysOf(subscription)).length).toBeLessThan(2)
    for (const { invoice } of await cyclesOf(subscription)) expect(invoice.status).toBe("cancelled")
    await sound()
  })

  test("goes on when an invoice of it is cancelled by itself", async () => {
    const subscription = await create({ terms: { dueDate: "2026-12-10" } })
    const [cycle] = await cyclesOf(subscription)
    await cancelInvoice(sandbox, own(cycle?.invoice ?? { id: "" }))
    await liveUntil("2027-01-05")
    expect(await daysOf(subscription)).toEqual(["2026-12-10", "2027-01-10"])
  })

  test("keeps the data of its customer until it ends", async () => {
    const subscription = await create()
    const request = { customer: { id: subscription.customer.id, sellerId }, address: "127.0.0.1" }
    expect(await eraseOwnData(sandbox, request)).toBe(false)
    await cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true })
    expect(await eraseOwnData(sandbox, request)).toBe(true)
  })

  test("of others is not found", async () => {
    const subscription = await create()
    const rival = { id: await createSeller(sandbox), address: "127.0.0.1" }
    await expect(
      cancelSubscription(sandbox, { id: subscription.id, seller: rival, cancelOpenInvoices: true }),
    ).rejects.toEqual(refusedAs("subscription_not_found"))
  })
})
