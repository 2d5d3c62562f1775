import { type EventType, eventTypes } from "@tilinta/contract/vocabulary/events"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { daysAfter, saoPauloDay, secondsAfter, startOfDay } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { recordReportedRefunds } from "#money/refunds/reported"
import { delayAfterRecovery } from "#money/withdrawals/account"
import { recordReturnedPayouts } from "#money/withdrawals/came-back"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { appendEvents } from "#platform/event-log/append"
import { findEventDifferences } from "#platform/event-log/reads"
import type { PaymentReceived } from "#psp/psp"
import { expireChargePages } from "#selling/charge-pages/change"
import { expireCharges } from "#selling/charges/end"
import { expireInvoices, publishOverdueInvoices } from "#selling/closings/invoices"
import { getDebit } from "#selling/mandates/reads"
import { toDebitView } from "#selling/mandates/views"
import { settleSubscriptions } from "#selling/subscriptions/issue"
import { asOwner as asDatabaseOwner } from "../../test-support/as-owner.ts"
import { createCharge, createPageOf, type TestCharge } from "../../test-support/edge-pages.ts"
import { makeDebit } from "../../test-support/edge-receivables.ts"
import { openEdgeWorld } from "../../test-support/edge-world.ts"
import { numberAllEvents } from "../../test-support/number-all-events.ts"
import { receiptOf } from "../../test-support/sandbox.ts"

const world = await openEdgeWorld()
const owner = await world.user()

afterAll(() => world.close())

const createPage = (maxPayments: number | null = 1) => createPageOf(world, owner, maxPayments)
const asOwner = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
  world.call(method, `/api/v1/${path}`, { token: owner.token, body })

/** Another admin each time, because the sessions of admins end while the clock passes. */
async function asAdmin(method: "POST" | "PATCH", path: string, body: object) {
  const { token } = await world.user("admin")
  const answer = await world.call(method, `/api/v1/admin/${path}`, { token, body })
  expect(answer.status).toBeLessThan(300)
}

interface TestEvent {
  id: string
  type: EventType
  sequence: number
  createdAt: string
  data: Record<string, { _id: string }>
}

async function eventsAfter(after: number): Promise<TestEvent[]> {
  const { status, json } = await asOwner("GET", `events?after=${after}`)
  expect(status).toBe(200)
  return json.data.events
}

/** Reminders are listed by their invoice. */
const reminded: string[] = []

async function remindersOf(invoiceId: string): Promise<{ _id: string }[]> {
  return (await asOwner("GET", `invoices/${invoiceId}/reminders`)).json.data.reminders
}

const automatic: { mandateId: string; debitId: string }[] = []

async function authorised({ mandateId, debitId }: { mandateId: string; debitId: string }): Promise<{ _id: string }[]> {
  const { json } = await asOwner("GET", `mandates/${mandateId}`)
  return [json.data.mandate, toDebitView(await getDebit(world.db, debitId))]
}

/** Each object of the owner, as the API answers now. */
async function everything(): Promise<Map<string, object>> {
  const lists = await Promise.all([
    asOwner("GET", "payments/transactions?limit=1000"),
    asOwner("GET", "withdrawals?limit=1000"),
    asOwner("GET", "checkout/pages?limit=1000"),
    asOwner("GET", "invoices?limit=1000"),
    asOwner("GET", "subscriptions?limit=1000"),
  ])
  const [transactions, withdrawals, pages, invoices, subscriptions] = lists.map(({ json }) => json.data)
  // An event is of its moment, and a receipt is verified at any time afterwards.
  for (const transaction of transactions.transactions) delete transaction.receiptVerifications
  const all = [
    ...transactions.transactions,
    ...withdrawals.withdrawals,
    ...pages.checkoutPages,
    ...invoices.invoices,
    ...subscriptions.subscriptions,
    ...(await Promise.all(reminded.map(remindersOf))).flat(),
    ...(await Promise.all(automatic.map(authorised))).flat(),
  ] as { _id: string }[]
  return new Map(all.map((each) => [each._id, each]))
}

const heard: TestEvent[] = []

/** Does something, and expects these events, each with its object as it is right afterwards. */
async function expectEvents(types: EventType[], work: () => Promise<unknown>): Promise<TestEvent[]> {
  const before = await everything()
  await work()
  const now = await everything()
  await numberAllEvents(world.db)
  const fresh = await eventsAfter(heard.at(-1)?.sequence ?? 0)
  heard.push(...fresh)
  expect(fresh.map(({ type }) => type)).toEqual(types)
  for (const { type, data } of fresh) {
    const [told] = Object.values(data)
    if (type === "payment.unmatched") continue
    expect(told).toEqual((type === "page.deleted" ? before : now).get(told?._id ?? ""))
  }
  return fresh
}

async function newCharge(): Promise<TestCharge> {
  let charge: TestCharge | null = null
  await expectEvents(["page.created", "charge.created"], async () => {
    charge = await createCharge(world, await createPage(null))
  })
  return charge ?? { id: "", txid: "" }
}

function takenByBank(receipt: PaymentReceived, cents: number) {
  const refund = { state: "completed", reason: null, settledAt: world.clock.now() } as const
  const name = `D${receipt.endToEndId.slice(1, 20)}${cents}`
  return { ...receipt, refunds: [{ pspRefundId: name, amountCents: cents as Cents, returnId: null, ...refund }] }
}

test("a page's events show it as it was created, changed, completed, cancelled, expired and deleted", async () => {
  const ids: string[] = []
  await expectEvents(["page.created"], async () => ids.push(await createPage(2)))
  await expectEvents(["page.updated"], async () => {
    world.clock.pass(1)
    await asOwner("PATCH", `checkout/pages/${ids[0]}`, { title: "Outro título", amount: 120 })
  })
  let charges: TestCharge[] = []
  await expectEvents(["charge.created", "charge.created", "charge.created"], async () => {
    charges = [
      await createCharge(world, ids[0] ?? ""),
      await createCharge(world, ids[0] ?? ""),
      await createCharge(world, ids[0] ?? ""),
    ]
  })
  await expectEvents(["charge.paid", "charge.paid", "charge.cancelled", "page.completed"], () => {
    world.clock.pass(1)
    return bookPayments(
      world,
      charges.slice(0, 2).map(({ txid }) => receiptOf(txid, 12_000)),
    )
  })

  await expectEvents(["page.created", "charge.created"], async () => {
    ids.push(await createPage(null))
    await createCharge(world, ids[1] ?? "")
  })
  const cancelled = await expectEvents(["page.updated", "charge.cancelled"], () =>
    asOwner("PATCH", `checkout/pages/${ids[1]}/cancel`),
  )
  expect(cancelled[0]?.data).toMatchObject({ checkoutPage: { status: "cancelled" } })

  await expectEvents(["page.created"], async () => ids.push(await createPage()))
  await expectEvents(["page.expired"], async () => {
    world.clock.pass(25 * 3_600)
    await expireChargePages({ db: world.db, psp: { bankTime: () => null }, clock: world.clock })
  })
  await expectEvents(["page.deleted"], () => asOwner("DELETE", `checkout/pages/${ids[2]}`))
})

test("a payment that completes its page tells of both", async () => {
  let charge: TestCharge = { id: "", txid: "" }
  await expectEvents(["page.created", "charge.created"], async () => {
    charge = await createCharge(world, await createPage(1))
  })
  await expectEvents(["charge.paid", "page.completed"], () => {
    world.clock.pass(1)
    return bookPayments(world, [receiptOf(charge.txid, 10_000)])
  })
})

test("an expired charge's events show it expired, and then paid late", async () => {
  const { txid } = await newCharge()
  await expectEvents(["charge.expired", "page.expired"], async () => {
    world.clock.pass(25 * 3_600)
    const late = { db: world.db, psp: { bankTime: () => null }, clock: world.clock }
    await expireCharges(late)
    await expireChargePages(late)
  })
  const [paid] = await expectEvents(["charge.paid"], () =>
    bookPayments(world, [{ ...receiptOf(txid, 10_000), paidAt: world.clock.now() }]),
  )
  expect(paid?.data).toMatchObject({ transaction: { status: "pago", metadata: { late: true } } })
})

test("a charge's events show it as it was created, paid, refunded and disputed", async () => {
  const { id, txid } = await newCharge()
  const receipt = receiptOf(txid, 10_000)
  await expectEvents(["charge.paid"], () => {
    world.clock.pass(1)
    return bookPayments(world, [receipt])
  })
  await expectEvents([], () => bookPayments(world, [receipt]))
  await expectEvents(["charge.refunded"], () => {
    world.clock.pass(1)
    return recordReportedRefunds(world, [takenByBank(receipt, 2_500)])
  })
  await expectEvents(["charge.disputed"], () =>
    asAdmin("POST", "disputes", { ...registration, endToEndId: receipt.endToEndId }),
  )
  const [last] = await expectEvents(["charge.refunded"], () => {
    world.clock.pass(1)
    return recordReportedRefunds(world, [takenByBank(receipt, 7_500)])
  })
  expect(last?.data).toMatchObject({ transaction: { _id: id, status: "estornado", refundedAmount: 100 } })
})

const registration = { reason: "fraud", respondUntil: null, adminNotes: "E-mail do banco" }

test("money of another amount is an unmatched payment, and pays its charge once it is accepted", async () => {
  const { id, txid } = await newCharge()
  const receipt = receiptOf(txid, 7_000)
  const [unmatched] = await expectEvents(["payment.unmatched"], () => bookPayments(world, [receipt]))
  const payment = unmatched?.data["payment"]
  const { endToEndId } = receipt
  expect(payment).toMatchObject({ endToEndId, amount: 70, reason: "wrong_amount", transaction: { _id: id } })
  const [accepted] = await expectEvents(["charge.paid"], async () => {
    await asAdmin("PATCH", `unmatched-payments/${payment?._id}/accept`, {
      adminNotes: "Veio sem o frete",
    })
  })
  expect(accepted?.data).toMatchObject({
    transaction: { _id: id, status: "pago", amount: 70, metadata: { endToEndId } },
  })
})

const byPix = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }
const byTransfer = {
  amount: 10,
  paymentMethod: "bank_transfer",
  bankData: { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" },
}

async function requested(body: object): Promise<string> {
  const [event] = await expectEvents(["withdrawal.requested"], () => asOwner("POST", "withdrawals", body))
  return event?.data["withdrawal"]?._id ?? ""
}

async function approved(body: object): Promise<string> {
  const id = await requested(body)
  await expectEvents(["withdrawal.approved"], () =>
    asAdmin("PATCH", `withdrawals/${id}/approve`, { adminNotes: "Certo" }),
  )
  return id
}

test("a withdrawal that a recovery holds shows until when", async () => {
  const id = await requested(byPix)
  const holdOnes = delayAfterRecovery("strict")
  const [event] = await expectEvents(["withdrawal.held"], () =>
    world.db.transaction().execute((tx) => holdOnes(tx, owner.id, world.clock.now())),
  )
  expect(event?.data["withdrawal"]).toMatchObject({ _id: id, holdReasons: ["recovery"] })
  await expectEvents(["withdrawal.cancelled"], () => asOwner("PATCH", `withdrawals/${id}/cancel`))
})

test("a withdrawal's events show each step of it", async () => {
  const notes = { adminNotes: "Feito" }
  const rejected = await requested(byPix)
  await expectEvents(["withdrawal.rejected"], () => asAdmin("PATCH", `withdrawals/${rejected}/reject`, notes))
  const cancelled = await requested(byPix)
  await expectEvents(["withdrawal.cancelled"], () => asOwner("PATCH", `withdrawals/${cancelled}/cancel`))
  const byHand = await approved(byTransfer)
  await expectEvents(["withdrawal.completed"], () => asAdmin("PATCH", `withdrawals/${byHand}/complete`, notes))
  await expectEvents(["withdrawal.returned"], () => {
    world.clock.pass(1)
    return asAdmin("PATCH", `withdrawals/${byHand}/return`, { reason: "Conta encerrada" })
  })

  const sent = await approved(byPix)
  await expectEvents(["withdrawal.completed"], async () => {
    await sendPayouts(world)
    await expect.poll(() => settled(sent)).toBe("completed")
  })
  await expectEvents(["withdrawal.returned"], () => {
    const payout = {
      payoutId: sent.replaceAll("-", ""),
      amountCents: 1_000 as Cents,
      returned: { amountCents: 400 as Cents },
    }
    return recordReturnedPayouts(world, [payout as never])
  })
})

async function settled(id: string): Promise<string | undefined> {
  world.clock.pass(61)
  await settlePayouts(world)
  const row = world.db.selectFrom("withdrawals").select("status").where("id", "=", id)
  return (await row.executeTakeFirst())?.status
}

test("an invoice's events show it as it was made, changed, cancelled, late, over and paid", async () => {
  const day = () => saoPauloDay(world.clock.now())
  const made: string[] = []
  const charge = async (terms: object) => {
    const body = { customer: { name: "Bruno Lima" }, amount: 100, dueDate: day(), ...terms }
    const { json } = await asOwner("POST", "invoices", body)
    made.push(json.data.invoice._id)
  }
  await expectEvents(["invoice.created"], () => charge({}))
  const [late = ""] = made
  await expectEvents(["invoice.updated"], async () => {
    world.clock.pass(1)
    await asOwner("PATCH", `invoices/${late}`, { amount: 120, description: "Mensalidade" })
  })
  await expectEvents(["invoice.created", "invoice.created"], async () => {
    await charge({ daysAfterDue: 0 })
    await charge({})
  })
  await expectEvents(["invoice.cancelled"], () => asOwner("PATCH", `invoices/${made[2]}/cancel`))

  const tenOClock = secondsAfter(startOfDay(daysAfter(day(), 6)), 10 * 3600)
  world.clock.pass((tenOClock.getTime() - world.clock.now().getTime()) / 1000)
  await expectEvents(["invoice.overdue"], () => publishOverdueInvoices(world))
  await expectEvents(["invoice.expired"], () => expireInvoices(world))
  const { page_id } = await world.db
    .selectFrom("invoices")
    .select("page_id")
    .where("id", "=", late)
    .executeTakeFirstOrThrow()
  let txid = ""
  await expectEvents(["charge.created"], async () => {
    txid = (await createCharge(world, page_id)).txid
  })
  await expectEvents(["charge.paid", "invoice.paid"], () => bookPayments(world, [receiptOf(txid, 12_000)]))
})

test("a reminder's event shows it as it was sent", async () => {
  const dueDate = saoPauloDay(world.clock.now())
  const body = { customer: { name: "Bruno Lima" }, amount: 100, dueDate }
  await expectEvents(["invoice.created"], async () => {
    reminded.push((await asOwner("POST", "invoices", body)).json.data.invoice._id)
  })
  await expectEvents(["reminder.sent"], () =>
    asOwner("POST", `invoices/${reminded[0]}/reminders`, { channel: "whatsapp" }),
  )
})

test("a subscription's events show it as it was made, changed, late, cancelled and completed", async () => {
  const made: string[] = []
  const subscribe = async (terms: object) => {
    const first = { period: "monthly", firstDueDate: saoPauloDay(world.clock.now()) }
    const body = { customer: { name: "Bruno Lima" }, title: "Mensalidade", amount: 100, ...first, ...terms }
    made.push((await asOwner("POST", "subscriptions", body)).json.data.subscription._id)
  }
  await expectEvents(["invoice.created", "subscription.created"], () => subscribe({}))
  await expectEvents(["invoice.created", "subscription.created"], () => subscribe({ cycles: 1 }))
  const [late, once] = made
  await expectEvents(["subscription.updated"], () => asOwner("PATCH", `subscriptions/${late}`, { amount: 120 }))
  await expectEvents(["subscription.updated"], () => asOwner("PATCH", `subscriptions/${late}/pause`, {}))
  await expectEvents(["subscription.updated"], () => asOwner("PATCH", `subscriptions/${late}/resume`))
  const { json } = await asOwner("GET", `subscriptions/${once}/cycles`)
  await expectEvents(["invoice.cancelled"], () =>
    asOwner("PATCH", `invoices/${json.data.cycles[0].invoice._id}/cancel`),
  )
  await expectEvents(["subscription.completed"], () => settleSubscriptions(world))
  world.clock.pass(6 * 86_400)
  await expectEvents(["subscription.past_due"], () => settleSubscriptions(world))
  await expectEvents(["invoice.cancelled", "subscription.cancelled"], () =>
    asOwner("PATCH", `subscriptions/${late}/cancel`, { cancelOpenInvoices: true }),
  )
})

test("events of an authorisation and its debit show them as they were", async () => {
  const debitId = await makeDebit(world, owner)
  const { mandateId } = await getDebit(world.db, debitId)
  automatic.push({ mandateId, debitId })
  const { db, clock } = world
  await numberAllEvents(db)
  heard.push(...(await eventsAfter(heard.at(-1)?.sequence ?? 0)))
  const now = clock.now()
  const become = async (type: EventType, work: (tx: Tx) => Promise<unknown>) => {
    const write = async (tx: Tx) => {
      await work(tx)
      const [noun] = type.split(".")
      await appendEvents(tx, type as Parameters<typeof appendEvents>[1], [noun === "debit" ? debitId : mandateId], now)
    }
    await expectEvents([type], () => db.transaction().execute(write))
  }
  for (const status of ["scheduled", "paid", "failed", "cancelled"] as const) {
    await become(`debit.${status}`, (tx) =>
      tx.updateTable("debits").set({ status, updated_at: now }).where("id", "=", debitId).execute(),
    )
  }
  const ends = { rejected: "rejected", expired: "expired", cancelled: "cancelled_by_payer" } as const
  await become("mandate.approved", (tx) =>
    tx.updateTable("mandates").set({ status: "approved", approved_at: now }).where("id", "=", mandateId).execute(),
  )
  for (const [word, status] of Object.entries(ends)) {
    await become(`mandate.${word as keyof typeof ends}`, (tx) =>
      tx.updateTable("mandates").set({ status, ended_at: now }).where("id", "=", mandateId).execute(),
    )
  }
})

test("every type was told, in numbers without holes, and is still told as it was", async () => {
  const told = new Set(heard.map(({ type }) => type))
  expect(eventTypes.filter((type) => !told.has(type))).toEqual([])
  expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, at) => at + 1))
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
  expect(await eventsAfter(0)).toEqual(heard)
  const found = await findEventDifferences(world.db)
  expect(found.filter(({ what }) => what.startsWith("evento "))).toEqual([])
  const others = await world.call("GET", "/api/v1/events", { token: (await world.user()).token })
  expect(others.json.data).toEqual({ events: [], hasMore: false, next: 0 })
})

test("an event copies no personal data and no fact that stays", async () => {
  const rows = await world.db.selectFrom("events").select(["type", "state"]).execute()
  const copied = new Map(rows.map(({ type, state }) => [type.split(".")[0], Object.keys(state ?? {})]))
  expect(copied.get("payment")).toEqual([])
  const charges = rows.filter(({ type }) => type.startsWith("charge."))
  for (const { state } of charges) {
    expect(["refunded_cents", "refunded_fee_cents", "status", "updated_at"]).toEqual(
      expect.arrayContaining(Object.keys(state ?? {})),
    )
  }
  for (const column of ["pix_key", "bank_data", "amount_cents"]) expect(copied.get("withdrawal")).not.toContain(column)
})

test("whoever's data is blanked in a charge is blanked in its events", async () => {
  const named = { customerInfo: { name: expect.stringMatching(/^Bia/) } }
  expect(heard.find(({ type }) => type === "charge.paid")?.data["transaction"]).toMatchObject(named)
  await asDatabaseOwner(world.database, "update charges set payer_name = null")
  const events = await eventsAfter(0)
  for (const { data } of events.filter(({ type }) => type.startsWith("charge."))) {
    expect(data["transaction"]).toMatchObject({ customerInfo: { name: "" } })
  }
})
