import { randomUUID } from "node:crypto"
import { afterAll, afterEach, expect, test } from "vitest"
import { openSandbox } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })
const token = await site.signUp("ana@loja.example")

afterEach(() => site.clock.pass(60))

afterAll(async () => {
  await site.close()
  await bank.close()
})

const juliana = { name: "Juliana Prado", email: "ju@exemplo.com", cpf: "529.982.247-25", phone: "(11) 98765-4321" }
const named = { customerInfo: { requireName: true, requireEmail: true, requirePhone: false, requireCpf: false } }

async function newPage(options: object = { pixConfig: { allowAnonymous: true, expiresInHours: 24 } }): Promise<string> {
  const body = { title: "Mentoria", slug: "mentoria", amount: 10, maxPayments: null, ...options }
  return (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage._id
}

interface Asking {
  from?: string
  key?: string
  customerInfo?: object
}

const ask = (checkoutPageId: string, { from = "198.51.100.7", key, customerInfo }: Asking = {}) =>
  site.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId, customerInfo },
    from,
    headers: key === undefined ? {} : { "idempotency-key": key },
  })

/** Ten at a time, which share the batches of a creation. */
async function statusesOf(count: number, asking: (n: number) => ReturnType<typeof ask>): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) {
    const some = Array.from({ length: Math.min(10, count - statuses.length) }, (_, n) => asking(statuses.length + n))
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  return statuses
}

const countOf = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

async function chargesOf(pageId: string): Promise<number> {
  const charges = await site.db.selectFrom("charges").select("id").where("page_id", "=", pageId).execute()
  return charges.length
}

test.each(["198.51.100.7", "127.0.0.1", "2001:db8::7"])(
  "30 Pix of one page for %s at once, then one a second",
  async (from) => {
    const page = await newPage()
    expect(countOf(await statusesOf(35, () => ask(page, { from })), 201)).toBe(30)
    const refused = await ask(page, { from })
    expect(refused.status).toBe(429)
    expect(refused.json.message).toContain("Nada foi cobrado")
    expect(refused.headers["retry-after"]).toBe("1")
    expect(await chargesOf(page)).toBe(30)
    site.clock.pass(3)
    expect(countOf(await statusesOf(5, () => ask(page, { from })), 201)).toBe(3)
  },
)

test("what one page refuses takes nothing from the address's other pages, nor from other payers of the page", async () => {
  const [flooded, other] = [await newPage(), await newPage()]
  await statusesOf(300, () => ask(flooded))
  expect((await ask(other)).status).toBe(201)
  expect((await ask(flooded, { from: "198.51.100.8" })).status).toBe(201)
})

test("100 Pix for one address at once over all pages, then ten a second", async () => {
  const pages = await Promise.all(Array.from({ length: 6 }, () => newPage()))
  const askSome = (count: number) =>
    statusesOf(count, (n) => ask(pages[n % pages.length] ?? "", { from: "198.51.100.9" }))
  expect(countOf(await askSome(110), 201)).toBe(100)
  site.clock.pass(1)
  // Six pages refill by one token each; the address has ten.
  expect(countOf(await askSome(12), 201)).toBe(10)
})

test("addresses of one IPv6 network count as one, and 20 Pix a second are a page's most from any addresses", async () => {
  const page = await newPage()
  expect(countOf(await statusesOf(35, (n) => ask(page, { from: `2001:db8:1:1::${n.toString(16)}` })), 201)).toBe(30)
  const fromAnywhere = (count: number) => statusesOf(count, (n) => ask(page, { from: `10.1.${n >> 8}.${n & 255}` }))
  expect(countOf(await fromAnywhere(100), 201)).toBe(70)
  site.clock.pass(1)
  expect(countOf(await fromAnywhere(30), 201)).toBe(20)
})

test("the form without script shares the count, and is shown again with its input", async () => {
  const page = await newPage(named)
  const { unique_link: link } = await site.db
    .selectFrom("charge_pages")
    .select("unique_link")
    .where("id", "=", page)
    .executeTakeFirstOrThrow()
  const customerInfo = (n: number) => ({ ...juliana, email: `ju${n}@exemplo.com` })
  await statusesOf(30, (n) => ask(page, { from: "127.0.0.1", customerInfo: customerInfo(n) }))
  const reply = await site.app.inject({
    method: "POST",
    url: `/checkout/${link}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ ...juliana, chave: "0123456789abcdef" }).toString(),
  })
  expect(reply.statusCode).toBe(429)
  expect(reply.body).toContain("Juliana Prado")
})

test("the same key is answered with its Pix, also beyond the limit", async () => {
  const page = await newPage()
  const first = await ask(page, { key: "first" })
  await statusesOf(40, () => ask(page))
  expect((await ask(page)).status).toBe(429)
  const again = await ask(page, { key: "first" })
  expect(again.status).toBe(201)
  expect(again.json.data.transactionId).toBe(first.json.data.transactionId)
})

test("a payer who asks again gets the code that is not paid yet; the new key stands for it, also once it is paid", async () => {
  const page = await newPage(named)
  const first = await ask(page, { key: "tab-one", customerInfo: juliana })
  const id = first.json.data.transactionId
  const second = await ask(page, { key: "tab-two", customerInfo: juliana })
  expect(second.status).toBe(201)
  expect(second.json.data.transactionId).toBe(id)
  expect((await ask(page, { customerInfo: juliana })).json.data.transactionId).toBe(id)
  expect(await chargesOf(page)).toBe(1)
  const other = { ...juliana, email: "outra@exemplo.com" }
  expect((await ask(page, { key: "tab-two", customerInfo: other })).json.code).toBe("idempotency_key_reused")

  await site.db.updateTable("charges").set({ status: "cancelled" }).where("id", "=", id).execute()
  expect((await ask(page, { key: "tab-two", customerInfo: juliana })).json.data.transactionId).toBe(id)
  expect((await ask(page, { key: "tab-three", customerInfo: juliana })).json.data.transactionId).not.toBe(id)
})

test("ten requests of one payer at once, each with a key of its own, are one code", async () => {
  const page = await newPage(named)
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ask(page, { key: randomUUID(), customerInfo: juliana })),
  )
  expect(new Set(replies.map(({ json }) => json.data.transactionId)).size).toBe(1)
  expect(await chargesOf(page)).toBe(1)
})

test("a code is one payer's: not an anonymous neighbour's, another address's, or of another amount", async () => {
  const anonymous = await newPage()
  await Promise.all([ask(anonymous), ask(anonymous)])
  expect(await chargesOf(anonymous)).toBe(2)

  const page = await newPage(named)
  const ids = [
    await ask(page, { customerInfo: juliana }),
    await ask(page, { customerInfo: juliana, from: "198.51.100.9" }),
  ]
  await site.call("PATCH", `/api/v1/checkout/pages/${page}`, { token, body: { amount: 11 } })
  ids.push(await ask(page, { customerInfo: juliana }))
  expect(new Set(ids.map(({ json }) => json.data.transactionId)).size).toBe(3)
})

test("a code that ends soon is not shown again", async () => {
  const page = await newPage(named)
  const first = await ask(page, { customerInfo: juliana })
  site.clock.pass(24 * 3600 - 300)
  await site.call("PATCH", `/api/v1/checkout/pages/${page}`, { token, body: { pixConfig: { expiresInHours: 48 } } })
  const second = await ask(page, { customerInfo: juliana })
  expect(second.json.data.transactionId).not.toBe(first.json.data.transactionId)
})
