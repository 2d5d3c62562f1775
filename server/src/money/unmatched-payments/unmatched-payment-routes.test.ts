import { afterAll, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { settleRefunds } from "#money/refunds/settle"
import { asOwner } from "../../../test-support/as-owner.ts"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"

const url = "/api/v1/admin/unmatched-payments"

const world = await openEdgeWorld()
const admin = await world.user("admin")

afterAll(() => world.close())

const list = async (query: string) => (await world.call("GET", `${url}${query}`, { token: admin.token })).json
const decide = (id: string, verb: string, body?: unknown) =>
  world.call("PATCH", `${url}/${id}/${verb}`, { token: admin.token, ...(body !== undefined && { body }) })

async function unknownMoney(cents: number): Promise<{ id: string; endToEndId: string }> {
  const receipt = receiptOf(null, cents)
  await bookPayments(world, [receipt])
  const { data } = await list(`?search=${receipt.endToEndId}`)
  return { id: data.payments[0]._id, endToEndId: receipt.endToEndId }
}

test("unmatched payments are listed with the effects of both decisions, and counted by reason", async () => {
  const { id, endToEndId } = await unknownMoney(1_000)
  const { results, data } = await list(`?search=${endToEndId}&reason=unknown_txid`)
  expect(results).toBe(1)
  expect(data.payments[0]).toMatchObject({
    _id: id,
    amount: 10,
    txid: null,
    status: "open",
    suggestion: "return",
    effect: { accept: { sellerGets: 8.5, fee: 1.5, payerGets: 0 }, return: { sellerGets: 0, fee: 0, payerGets: 10 } },
    transaction: null,
    checkoutPage: null,
    user: null,
  })
  expect(data.summary).toMatchObject({ count: 1, totalAmount: 10, unknown_txid: { count: 1, amount: 10 } })
  const single = await world.call("GET", `${url}/${id}`, { token: admin.token })
  expect(single.json.data.payment).toEqual(data.payments[0])
  expect((await world.call("GET", `${url}/nada`, { token: admin.token })).status).toBe(404)
  expect((await list(`?search=${endToEndId}&reason=late`)).results).toBe(0)
  expect((await list(`?search=${endToEndId}&status=resolved`)).results).toBe(0)
})

test("accepted for a seller it stands in their list as paid, counts in their totals and in their balance", async () => {
  const seller = await world.user()
  const { id, endToEndId } = await unknownMoney(1_000)
  const without = await decide(id, "accept")
  expect([without.status, without.json.errors]).toEqual([
    422,
    [{ path: "sellerId", message: "Informe o vendedor que recebe este pagamento." }],
  ])
  const accepted = await decide(id, "accept", { sellerId: seller.id, adminNotes: " ligou e confirmou " })
  expect(accepted).toMatchObject({
    status: 200,
    json: {
      message: "Pagamento aceito.",
      data: { payment: { status: "accepted", user: { _id: seller.id }, adminNotes: "ligou e confirmou" } },
    },
  })
  const mine = (await world.call("GET", "/api/v1/payments/transactions", { token: seller.token })).json
  expect(mine.data.transactions).toMatchObject([
    { status: "pago", amount: 10, netAmount: 8.5, checkoutPage: { _id: null }, metadata: { txid: null, endToEndId } },
  ])
  expect(mine.data.summary).toMatchObject({ paidCount: 1, totalReceived: 8.5 })
  const balance = (await world.call("GET", "/api/v1/users/myBalance", { token: seller.token })).json
  expect(balance.data.balance).toBe(1_008.5)
  expect((await list(`?search=${endToEndId}&status=resolved`)).results).toBe(1)
})

test("it is decided once: later decisions get a 409", async () => {
  const { id } = await unknownMoney(1_000)
  expect((await decide(id, "return", { adminNotes: "não é nosso" })).json).toMatchObject({
    message: "Devolução solicitada ao banco.",
    data: { payment: { status: "returning" } },
  })
  for (const verb of ["accept", "return"]) {
    expect(await decide(id, verb)).toMatchObject({ status: 409, json: { code: "unmatched_payment_resolved" } })
    expect(await decide("nada", verb)).toMatchObject({ status: 404, json: { code: "unmatched_payment_not_found" } })
  }
})

test("a return that the bank doesn't answer for is settled by hand where the payment is", async () => {
  const deputy = await world.user("admin")
  const { id, endToEndId } = await unknownMoney(1_000)
  const of = async () => (await list(`?search=${endToEndId}&status=all`)).data.payments[0]
  expect((await of()).refund).toBe(null)
  await decide(id, "return")
  expect(await of()).toMatchObject({
    status: "returning",
    refund: { amount: 10, status: "processing", settleable: false },
  })
  await asOwner(world.database, "update refunds set created_at = created_at - interval '1 day'")
  const { refund } = await of()
  expect(refund).toMatchObject({ settleable: true, handSettlement: null })

  const say = ({ token }: WorldUser) => {
    const body = { outcome: "not_paid", reason: "O banco encerrou a conta" }
    return world.call("PATCH", `/api/v1/admin/refunds/${refund._id}/settle`, { token, body })
  }
  await say(admin)
  expect((await of()).refund.handSettlement).toMatchObject({ saidBy: { _id: admin.id }, waitsFor: "second_admin" })
  const [mail] = await deliverMails(world, deputy.email)
  expect(mail?.text).toContain(`/admin/unmatched-payments?payment=${id}`)
  expect(mail?.text).not.toContain("Vendedor")
  const done = await say(deputy)
  expect(done.json.message).toBe("Estorno resolvido: não foi pago, e o pagamento espera de novo a sua decisão.")
  expect(await of()).toMatchObject({
    status: "open",
    refund: { status: "refused", settleable: false, handSettlement: { confirmedBy: { _id: deputy.id } } },
  })
})

test.for(["?status=x", "?reason=x", "?page=0", "?limit=x"])("%s is refused", async (query) => {
  const reply = await world.call("GET", `${url}${query}`, { token: admin.token })
  expect([400, 422]).toContain(reply.status)
})

test("a refund over HTTP: in part, then the rest, then no more; the screens read what is left", async () => {
  const seller = await world.user()
  const { id } = await unknownMoney(10_000)
  await decide(id, "accept", { sellerId: seller.id })
  const [made] = (await world.call("GET", "/api/v1/payments/transactions", { token: seller.token })).json.data
    .transactions
  const refunds = `/api/v1/payments/transactions/${made._id}/refunds`
  const refund = (body?: unknown, headers: Record<string, string> = {}) =>
    world.call("POST", refunds, { token: seller.token, headers, ...(body !== undefined && { body }) })

  const key = { "idempotency-key": "um" }
  const first = await refund({ amount: 40, reason: "um item voltou" }, key)
  expect(first).toMatchObject({
    status: 201,
    json: { data: { refund: { amount: 40, fee: 6, netAmount: 34, status: "processing", origin: "seller" } } },
  })
  expect((await refund({ amount: 40, reason: "um item voltou" }, key)).json).toEqual(first.json)
  expect((await refund({ amount: 41 }, key)).status).toBe(422)
  expect((await refund({ amount: 60.01 })).json.errors).toEqual([
    { path: "amount", message: "O valor do estorno não pode passar de R$ 60,00" },
  ])
  expect((await refund({ amount: 0 })).status).toBe(422)
  expect((await refund({ amount: 1.005 })).status).toBe(400)
  expect((await refund({ reason: "x".repeat(141) })).status).toBe(422)
  expect((await refund()).json.data.refund).toMatchObject({ amount: 60, fee: 9 })
  expect((await refund()).json).toMatchObject({ code: "transaction_not_refundable" })
  const read = (await world.call("GET", refunds, { token: seller.token })).json.data
  expect(read).toMatchObject({ refundable: 0, refunds: [{ amount: 60 }, { amount: 40 }] })
  const asAdmin = await world.call("GET", `/api/v1/admin/transactions/${made._id}/refunds`, { token: admin.token })
  const bySettlement = { settleable: false, handSettlement: null }
  const forAdmins = read.refunds.map((each: object) => ({ ...each, ...bySettlement }))
  expect(asAdmin.json.data).toEqual({ ...read, refunds: forAdmins })
})

test("a seller without the money gets an error, and a run of the job changes nothing", async () => {
  const seller = await world.user()
  const { id } = await unknownMoney(10_000)
  await decide(id, "accept", { sellerId: seller.id })
  const body = { amount: 1_085, paymentMethod: "pix", pixKey: "ana@loja.example" }
  expect((await world.call("POST", "/api/v1/withdrawals", { token: seller.token, body })).status).toBe(201)
  const [made] = (await world.call("GET", "/api/v1/payments/transactions", { token: seller.token })).json.data
    .transactions
  const reply = await world.call("POST", `/api/v1/payments/transactions/${made._id}/refunds`, { token: seller.token })
  expect([reply.status, reply.json.message]).toEqual([409, "Saldo insuficiente para este estorno."])
  await settleRefunds(world)
  const read = await world.call("GET", `/api/v1/payments/transactions/${made._id}/refunds`, { token: seller.token })
  expect(read.json.data).toMatchObject({ refunds: [], refundable: 100 })
})
