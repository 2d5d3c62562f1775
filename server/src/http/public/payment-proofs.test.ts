import type { ChargeStatus } from "@tilinta/contract/vocabulary/transactions"
import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const body = { title: "Mentoria", slug: "mentoria", amount: 10 }
const made = (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
const [pageId, uniqueLink]: [string, string] = [made._id, made.uniqueLink]

afterAll(() => site.close())

const proofOf = (id: string) => site.call("GET", `/api/v1/checkout/payment-proofs/${id}`)

function charge(status: ChargeStatus): Promise<string> {
  const payer = { payerName: "José Prado", payerEmail: "jose@exemplo.com" }
  return insertCharge(site.db, { sellerId, pageId, at: "2026-11-21T12:00:00Z", status, ...payer })
}

test("the id gives access to amount, time and receiver, and to no payer data", async () => {
  const id = await charge("paid")
  const { status, json, text } = await proofOf(id)
  expect(status).toBe(200)
  expect(json.data.proof).toEqual({
    transactionId: id,
    amount: 10,
    date: "2026-11-21T12:00:00.000Z",
    title: "Mentoria",
    receiver: expect.stringMatching(/\S/),
    receiverDocument: null,
    chargePath: `/checkout/${uniqueLink}`,
    returnUrl: null,
    paymentMethod: "pix",
    status: "pago",
    endToEndId: null,
    refundedAmount: 0,
    refunds: [],
  })
  expect(text).not.toMatch(/José|jose@|ana@/)
})

test("what isn't paid doesn't read paid", async () => {
  for (const [stored, read] of [
    ["pending", "pendente"],
    ["expired", "expirado"],
    ["failed", "cancelado"],
  ] as const) {
    expect((await proofOf(await charge(stored))).json.data.proof.status).toBe(read)
  }
})

test("an id that was never given out, or is none, is not found", async () => {
  for (const id of [newId(), "TXN-1"]) {
    const { status, json } = await proofOf(id)
    expect({ status, message: json.message }).toEqual({ status: 404, message: "Pagamento não encontrado" })
  }
})

test("P13: the payer's status reply contains only the status; a neighbouring id is unknown", async () => {
  const id = await charge("paid")
  const { status, json } = await site.call("GET", `/api/v1/checkout/payment-status/${id}`)
  expect({ status, json }).toEqual({ status: 200, json: { status: "success", data: { status: "pago" } } })
  const last = Number.parseInt(id.slice(-1), 16)
  for (const neighbour of [(last + 1) % 16, (last + 15) % 16].map((digit) => id.slice(0, -1) + digit.toString(16))) {
    expect((await site.call("GET", `/api/v1/checkout/payment-status/${neighbour}`)).status).toBe(404)
  }
})
