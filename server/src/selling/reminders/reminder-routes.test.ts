import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

// Its clock stands at 21 November 2026.
const site = await openTestApp()
let token: string
let invoiceId: string

const call = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
  site.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) })

beforeAll(async () => {
  token = await site.signUp("regua@loja.example")
  const customer = { name: "Bruno Lima", email: "bruno@exemplo.com.br", phone: "(11) 98765-4321" }
  const { json } = await call("POST", "invoices", {
    customer,
    amount: 100,
    dueDate: "2026-11-24",
    description: "Mensalidade",
  })
  invoiceId = json.data.invoice._id
})
afterAll(() => site.close())

async function linkOfCustomer(): Promise<string> {
  const row = await site.db.selectFrom("customers").select("mail_token").executeTakeFirstOrThrow()
  return `/payment/reminders/${row.mail_token}`
}

test("the steps are off until the seller says yes, and each has a text that may be changed", async () => {
  const before = (await call("GET", "users/me/reminders")).json.data.reminders
  expect(before).toMatchObject({ enabled: false, steps: { due: { enabled: true } } })
  const text = "Oi, {nome}! Logo vencem {valor}."
  const { json } = await call("PATCH", "users/me/reminders", { enabled: true, steps: { before_3: { text } } })
  expect(json.data.reminders).toMatchObject({ enabled: true, steps: { before_3: { enabled: true, text } } })
  expect((await call("PATCH", "users/me/reminders", {})).json.data.reminders).toEqual(json.data.reminders)
})

test("a text with a variable that doesn't exist is refused, and so is one that is too long", async () => {
  const send = (text: string) => call("PATCH", "users/me/reminders", { steps: { due: { text } } })
  const unknown = await send("Oi, {cliente}!")
  expect([unknown.status, unknown.json.errors]).toEqual([
    422,
    [
      {
        path: "steps.due.text",
        message: "“{cliente}” não existe. Use {nome}, {valor}, {vencimento}, {loja}, {link}.",
      },
    ],
  ])
  expect((await send("x".repeat(501))).status).toBe(422)
})

test("who is due today is listed with the text ready, and marked once the seller sent it", async () => {
  const listed = (await call("GET", "users/me/reminders/today")).json.data.reminders
  expect(listed).toMatchObject([{ invoice: { _id: invoiceId }, step: "before_3", reminder: null }])
  expect(listed[0].whatsappLink).toContain("https://wa.me/5511987654321?text=Oi%2C%20Bruno%20Lima!")
  const { status, json } = await call("POST", `invoices/${invoiceId}/reminders`, { channel: "whatsapp" })
  expect([status, json.data.reminder.status]).toEqual([201, "sent"])
  expect((await call("GET", "users/me/reminders/today")).json.data.reminders).toMatchObject([
    { reminder: { channel: "whatsapp" } },
  ])
  const { customer } = listed[0].invoice
  expect((await call("GET", `customers/${customer._id}/reminders`)).json.data.reminders).toMatchObject([
    { channel: "whatsapp", invoiceId },
  ])
  expect((await call("GET", `invoices/${invoiceId}/reminders`)).json.data).toMatchObject({
    reminders: [{ channel: "whatsapp", step: null }],
    next: { step: "due", day: "2026-11-24" },
    noNext: null,
  })
})

test("a mail program that looks into the link changes nothing; its one click, and the page's button, end the reminders", async () => {
  const link = await linkOfCustomer()
  const page = await site.call("GET", link)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("Não receber mais lembretes?")])
  expect(page.text).not.toContain("bruno@exemplo.com.br")
  expect(page.text).not.toContain("<script")
  expect((await call("GET", `invoices/${invoiceId}/reminders`)).json.data.noNext).toBeNull()
  const click = () =>
    site.call("POST", link, {
      rawBody: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
  expect((await Promise.all([click(), click(), click()])).map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await call("GET", `invoices/${invoiceId}/reminders`)).json.data.noNext).toBe("unsubscribed")
  expect((await call("POST", `invoices/${invoiceId}/reminders`, { channel: "email" })).status).toBe(409)

  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const resumed = await site.call("POST", `${link}/resume`, { headers })
  expect([resumed.status, resumed.text]).toEqual([200, expect.stringContaining("voltamos a lembrar")])
  expect((await call("GET", `invoices/${invoiceId}/reminders`)).json.data.noNext).toBeNull()
})

test.each(["nada", "00000000-0000-0000-0000-000000000000", "%00"])(
  "an unknown link is a page with 404: %s",
  async (id) => {
    for (const method of ["GET", "POST"] as const) {
      const { status, headers } = await site.call(method, `/payment/reminders/${id}`)
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"])
    }
  },
)

test("another seller sees neither", async () => {
  const other = await site.signUp("outra@loja.example")
  const { customer } = (await call("GET", `invoices/${invoiceId}`)).json.data.invoice
  const ofCustomer = await site.call("GET", `/api/v1/customers/${customer._id}/reminders`, { token: other })
  expect(ofCustomer.status).toBe(404)
  for (const method of ["GET", "POST"] as const) {
    const body = method === "POST" ? { body: { channel: "whatsapp" } } : {}
    const { status } = await site.call(method, `/api/v1/invoices/${invoiceId}/reminders`, { token: other, ...body })
    expect(status).toBe(404)
  }
})
