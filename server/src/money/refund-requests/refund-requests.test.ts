import { afterAll, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { settleRefunds } from "#money/refunds/settle"
import { getChargeDetails } from "#overviews/charge-details/details"
import type { Psp } from "#psp/psp"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })

interface Person {
  id: string
  token: string
}

let count = 0
async function person(name: string): Promise<Person> {
  count += 1
  const token = await site.signUp(`pessoa${count}@padaria.example`)
  const { _id: id } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
  await site.db.updateTable("users").set({ name }).where("id", "=", id).execute()
  return { id, token }
}

const [owner, bia, caio] = [await person("Ana Souza"), await person("Bia Reis"), await person("Caio Melo")]
await site.db
  .insertInto("shop_members")
  .values([
    { shop_id: owner.id, user_id: bia.id, role: "cashier", joined_at: site.clock.now() },
    { shop_id: owner.id, user_id: caio.id, role: "manager", joined_at: site.clock.now() },
  ])
  .execute()

afterAll(async () => {
  expect(await findPaymentDifferences(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

const call = ({ token }: Person, method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
  site.call(method, `/api/v1/${path}`, { token, ...(body && { body }), headers: { "x-shop": owner.id } })

let saleId: string
beforeEach(async () => {
  saleId = await sale(bia)
})

/** A sale of 20.00 that was paid. */
async function sale(by: Person, isPaid = true): Promise<string> {
  const made = await call(by, "POST", "charges", { amount: 20, counter: true, description: "Bolo" })
  const { _id } = made.json.data.charge
  if (!isPaid) return _id
  const row = await site.db.selectFrom("charges").select("txid").where("id", "=", _id).executeTakeFirstOrThrow()
  await bookPayments({ ...bank, db: site.db }, [receiptOf(String(row.txid), 2_000)])
  return _id
}

const ask = (id = saleId, by = bia) =>
  call(by, "POST", `payments/transactions/${id}/refund-requests`, { reason: "Errei o valor" })
const decide = (requestId: string, how: "confirm" | "decline", by = caio) =>
  call(by, "PATCH", `payments/transactions/${saleId}/refund-requests/${requestId}/${how}`)
const idOf = async () => (await ask()).json.data.refundRequest._id
const refunds = () =>
  site.db
    .selectFrom("refunds")
    .select(["amount_cents", "requested_by", "reason"])
    .where("charge_id", "=", saleId)
    .execute()
const waiting = async () => {
  const { refundRequests } = (await call(owner, "GET", "counter/refund-requests")).json.data
  return refundRequests.map(({ transaction }: { transaction: { _id: string } }) => transaction._id)
}
const today = async () => {
  const { sales } = (await call(bia, "GET", "counter/today")).json.data.counter
  return sales.find(({ _id }: { _id: string }) => _id === saleId).refundRequest
}

test("a cashier asks, the owner and the manager hear of it, and the manager's word gives the money back", async () => {
  const asked = await ask()
  expect([asked.status, asked.json.data.refundRequest]).toMatchObject([
    201,
    { status: "waiting", askedBy: { name: "Bia Reis" }, transaction: { amount: 20 }, reason: "Errei o valor" },
  ])
  expect(await refunds()).toEqual([])
  for (const reader of [owner, caio]) {
    const { notices } = (await call(reader, "GET", "users/me/notices?topic=activity")).json.data
    expect(notices[0].title).toBe("Bia Reis pede o estorno de R$ 20,00")
  }
  expect(await waiting()).toContain(saleId)
  expect(await today()).toBe("waiting")

  const confirmed = await decide(asked.json.data.refundRequest._id, "confirm")
  expect([confirmed.status, confirmed.json.data.refund]).toMatchObject([200, { amount: 20, askedBy: "Bia Reis" }])
  expect(await refunds()).toEqual([{ amount_cents: 2_000, requested_by: caio.id, reason: "Errei o valor" }])
  expect(await today()).toBe("confirmed")
  expect(await waiting()).not.toContain(saleId)
  const listed = await call(owner, "GET", `payments/transactions/${saleId}/refunds`)
  expect(listed.json.data.refunds).toMatchObject([{ requestedBy: "Caio Melo", askedBy: "Bia Reis" }])
})

test("audit and timeline name who asked and who confirmed", async () => {
  await decide(await idOf(), "confirm")
  const records = await site.db
    .selectFrom("audit_records")
    .select(["action", "actor_id"])
    .where("entity", "=", "refund")
    .orderBy("id", "desc")
    .limit(2)
    .execute()
  expect(records).toEqual([
    { action: "refund.requested", actor_id: caio.id },
    { action: "refund.asked", actor_id: bia.id },
  ])
  const { timeline } = await getChargeDetails(site, saleId)
  expect(timeline.map(({ event, by }) => event + by).filter((line) => line.includes("por"))).toEqual([
    "refund_asked por Bia Reis",
    "refund_confirmed por Caio Melo",
  ])
})

test("asking, confirming and declining twice are each done once", async () => {
  const [first, second] = [await idOf(), await idOf()]
  expect(second).toBe(first)
  const [once, again] = [await decide(first, "confirm"), await decide(first, "confirm", owner)]
  expect(again.json.data.refund._id).toBe(once.json.data.refund._id)
  expect(await refunds()).toHaveLength(1)
  expect((await decide(first, "decline")).json.code).toBe("refund_request_decided")
  expect((await ask()).json.code).toBe("transaction_not_refundable")

  saleId = await sale(bia)
  const declined = await idOf()
  for (const reply of [await decide(declined, "decline"), await decide(declined, "decline")]) {
    expect(reply.json.data.refundRequest).toMatchObject({ status: "declined", decidedBy: { name: "Caio Melo" } })
  }
  expect((await decide(declined, "confirm")).json.code).toBe("refund_request_decided")
  expect(await refunds()).toEqual([])
  expect(await idOf()).not.toBe(declined)
})

test("two who ask, and two who decide at once, make one request and one refund", async () => {
  const asked = await Promise.all([ask(), ask(saleId, caio), ask()])
  const [id, ...others] = new Set(asked.map(({ json }) => json.data.refundRequest._id))
  expect(others).toEqual([])
  const decided = await Promise.all([
    decide(String(id), "confirm"),
    decide(String(id), "confirm", owner),
    call(owner, "POST", `payments/transactions/${saleId}/refunds`, { reason: "" }),
    decide(String(id), "decline", owner),
  ])
  const done = decided.filter(({ status }) => status < 300)
  expect(done.length).toBeGreaterThan(0)
  expect((await refunds()).length).toBeLessThanOrEqual(1)
  for (const { status } of decided) expect([200, 201, 409]).toContain(status)
})

test("only what was paid at the counter can be asked for, and what was refunded meanwhile waits no more", async () => {
  expect((await ask(await sale(bia, false))).json.code).toBe("transaction_not_refundable")
  const avulsa = await call(owner, "POST", "charges", { amount: 20 })
  expect((await ask(avulsa.json.data.charge._id)).json.code).toBe("transaction_not_found")
  const id = await idOf()
  await call(owner, "POST", `payments/transactions/${saleId}/refunds`, { reason: "" })
  expect(await waiting()).not.toContain(saleId)
  expect((await decide(id, "confirm")).json.code).toBe("transaction_not_refundable")
  expect(await refunds()).toHaveLength(1)
})

test("what the bank refused reads so at the counter, is told to who confirmed it, and is asked for again", async () => {
  const answer = {
    state: "refused",
    amountCents: null,
    returnId: null,
    reason: "Conta encerrada",
    settledAt: null,
  } as const
  const psp: Psp = { ...bank.psp, findRefund: async ({ pspRefundId }) => ({ pspRefundId, ...answer }) }
  const requestId = await idOf()
  expect((await decide(requestId, "confirm")).status).toBe(200)
  await settleRefunds({ ...bank, db: site.db, psp, clock: { now: () => secondsAfter(site.clock.now(), 120) } })
  expect(await today()).toBe("refused")
  for (const reader of [owner, caio]) {
    const { notices } = (await call(reader, "GET", "users/me/notices?topic=activity")).json.data
    expect(notices[0].title.replace("\u00a0", " ")).toBe("Estorno recusado pelo banco: R$ 20,00")
  }
  const again = await idOf()
  expect(again).not.toBe(requestId)
  expect(await today()).toBe("waiting")
  expect((await decide(again, "confirm")).status).toBe(200)
  expect(await today()).toBe("confirmed")
})
