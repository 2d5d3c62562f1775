import { afterAll, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })
const token = await site.signUp("ana@loja.example")

afterAll(async () => {
  expect(await findPaymentDifferences(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

const pages = "/api/v1/checkout/pages"
const limits = { minAmount: 5, maxAmount: 50, suggestions: [20, 10, 20] }
let count = 0

async function send(body: object) {
  count += 1
  const whole = { title: "Balcão", slug: `balcao-${count}`, maxPayments: null, ...body }
  return site.call("POST", pages, { token, body: { ...whole, pixConfig: { allowAnonymous: true } } })
}

const open = async (body: object = {}) =>
  (await send({ amount: null, ...limits, ...body })).json.data.checkoutPage as { _id: string; uniqueLink: string }
const change = (id: string, body: object) => site.call("PATCH", `${pages}/${id}`, { token, body })
const pay = (checkoutPageId: string, amount?: unknown, headers: Record<string, string> = {}) =>
  site.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId, customerInfo: null, amount },
    headers,
  })
const problemOf = ({ status, json }: { status: number; json: { errors?: { path: string; message: string }[] } }) => [
  status,
  json.errors?.[0]?.path,
  json.errors?.[0]?.message,
]

test("its limits and suggestions are told to its seller and to payers; others have none", async () => {
  const page = await open()
  const told = { amount: null, minAmount: 5, maxAmount: 50, suggestions: [10, 20] }
  expect(page).toMatchObject(told)
  expect((await site.call("GET", `${pages}/${page.uniqueLink}`)).json.data.checkoutPage).toMatchObject(told)
  expect(await open({ minAmount: 1, maxAmount: undefined, suggestions: undefined })).toMatchObject({
    ...told,
    minAmount: 1,
    maxAmount: 9_999_999.99,
    suggestions: [],
  })
  const fixed = (await send({ amount: 10 })).json.data.checkoutPage
  expect(fixed).toMatchObject({ amount: 10, minAmount: null, maxAmount: null, suggestions: [] })
})

test("limits that contradict each other, or stand beside a fixed amount, are refused", async () => {
  const cases: [object, string, string][] = [
    [{ minAmount: 0.5 }, "minAmount", "O valor mínimo da cobrança é R$ 1,00"],
    [{ maxAmount: 4 }, "maxAmount", "O maior valor não pode ficar abaixo do menor."],
    [{ maxAmount: 10.001 }, "maxAmount", "Informe o valor com no máximo duas casas decimais."],
    [{ suggestions: [51] }, "suggestions", "Sugira valores de R$ 5,00 a R$ 50,00."],
    [{ suggestions: [5, 6, 7, 8, 9, 10, 11] }, "suggestions", "Sugira no máximo 6 valores."],
    [{ amount: 10 }, "minAmount", "Só vale onde quem paga escolhe o valor: envie amount: null."],
  ]
  for (const [body, path, message] of cases) {
    const { status, ...reply } = await send({ amount: null, ...limits, ...body })
    expect([400, 422]).toContain(status)
    expect(problemOf({ status, ...reply }).slice(1)).toEqual([path, message])
  }
})

test("a payer pays what they chose, within the limits, and only there", async () => {
  const page = await open()
  const words = "Informe um valor de R$ 5,00 a R$ 50,00."
  expect(problemOf(await pay(page._id, 4.99))).toEqual([422, "amount", words])
  expect(problemOf(await pay(page._id, 50.01))).toEqual([422, "amount", words])
  expect(problemOf(await pay(page._id))).toEqual([422, "amount", "Informe quanto você quer pagar."])
  for (const amount of [5, 12.34, 50]) expect((await pay(page._id, amount)).json.data).toMatchObject({ amount })
  const fixed = (await send({ amount: 10 })).json.data.checkoutPage
  const refusal = "Esta cobrança tem valor fixo: não envie amount."
  expect(problemOf(await pay(fixed._id, 10))).toEqual([422, "amount", refusal])
  expect((await pay(fixed._id)).json.data).toMatchObject({ amount: 10 })
})

test("the same key with another amount is refused; with the same, also ten times at once, it is one Pix", async () => {
  const page = await open()
  const headers = { "idempotency-key": "valor-livre-0001" }
  const sent = await Promise.all(Array.from({ length: 10 }, () => pay(page._id, 20, headers)))
  expect(new Set(sent.map(({ json }) => json.data.transactionId)).size).toBe(1)
  expect((await pay(page._id, 21, headers)).json.code).toBe("idempotency_key_reused")
})

test("an edit of the limits ends the open codes; a race with it never leaves one outside of them", async () => {
  const page = await open()
  expect((await pay(page._id, 10)).status).toBe(201)
  const [edit, ...raced] = await Promise.all([
    change(page._id, { minAmount: 30, suggestions: [] }),
    ...Array.from({ length: 10 }, () => pay(page._id, 10)),
  ])
  expect(raced.map(({ status }) => status).filter((status) => status !== 201 && status !== 422)).toEqual([])
  expect([edit.status, edit.json.message]).toEqual([200, undefined])
  const left = await site.db
    .selectFrom("charges")
    .select("id")
    .where("page_id", "=", page._id)
    .where("amount_cents", "<", 3000 as never)
    .where("status", "in", ["creating", "pending"])
    .execute()
  expect(left).toEqual([])
  expect(problemOf(await pay(page._id, 10))[0]).toBe(422)
  const fixed = (await change(page._id, { amount: 40 })).json.data.checkoutPage
  expect(fixed).toMatchObject({ amount: 40, minAmount: null, maxAmount: null })
  expect((await change(page._id, { amount: null })).status).toBe(422)
  const opened = (await change(page._id, { amount: null, minAmount: 1 })).json.data.checkoutPage
  expect(opened).toMatchObject({ amount: null, minAmount: 1 })
  expect((await change(page._id, { amount: null })).json.data.checkoutPage).toMatchObject({
    amount: null,
    minAmount: 1,
  })
})

test("what was chosen is paid, refunded, and stands in the list, the file and the statement", async () => {
  const page = await open()
  const { transactionId } = (await pay(page._id, 12.34)).json.data
  const charge = await site.db
    .selectFrom("charges")
    .select(["txid", "amount_cents"])
    .where("id", "=", transactionId)
    .executeTakeFirstOrThrow()
  await bookPayments({ ...bank, db: site.db }, [receiptOf(String(charge.txid), charge.amount_cents)])
  const list = await site.call("GET", "/api/v1/payments/transactions?status=pago", { token })
  expect(list.json.data.transactions[0]).toMatchObject({ _id: transactionId, amount: 12.34, status: "pago" })
  const file = await site.call("GET", "/api/v1/payments/transactions/export?status=pago", { token })
  expect(file.text).toContain("12,34")
  const body = { amount: 2.34 }
  const refund = await site.call("POST", `/api/v1/payments/transactions/${transactionId}/refunds`, { token, body })
  expect([refund.status, refund.json.message]).toEqual([201, undefined])
})

test("without script the form takes the amount as it is typed, and a link fills it in", async () => {
  const page = await open()
  const post = (amount: string) =>
    site.app.inject({
      method: "POST",
      url: `/checkout/${page.uniqueLink}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({ amount, chave: "chave-do-formulario-1" }).toString(),
    })
  expect((await post("12,50")).statusCode).toBe(303)
  for (const [typed, words] of [
    ["", "Informe quanto você quer pagar."],
    ["doze", "Informe o valor, como 12,50."],
    ["60", "Informe um valor de R$ 5,00 a R$ 50,00."],
  ] as const) {
    const reply = await post(typed)
    expect([reply.statusCode, reply.body.includes(words)]).toEqual([422, true])
  }
  expect((await site.call("GET", `/checkout/${page.uniqueLink}?amount=20,00`)).text).toContain('"amount":"20,00"')
})
