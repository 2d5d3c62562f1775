import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"

const panel = "painel.loja.example"
const payers = "pagar.loja.example"

const site = await openTestApp({ publicUrl: `https://${panel}`, payersUrl: `https://${payers}` })
const token = await site.signUp("ana@loja.example")
const body = { title: "Mentoria", slug: "mentoria", amount: 10 }
const link: string = (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
  .uniqueLink
afterAll(() => site.close())

const ask = (host: string, path: string, method: "GET" | "POST" = "GET", body?: object) =>
  site.call(method, path, { headers: { host }, token, ...(body && { body }) })

test("payers' pages and what they need are served on payers' host", async () => {
  const page = await ask(payers, `/checkout/${link}`)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(panel)
  expect((await ask(payers, `/checkout/${link}/qr.svg`)).status).toBe(200)
  expect((await ask(payers, `/api/v1/checkout/pages/${link}`)).status).toBe(200)
  expect((await ask(payers, "/payment/success?transactionId=1")).status).toBe(200)
  expect((await ask(payers, "/api/v1/public/settings/PLATFORM_NAME")).status).toBe(200)
  expect((await ask(payers, "/healthz")).status).toBe(200)
  expect((await ask(payers, "/checkout/nao-existe")).status).toBe(404)
})

test.each([
  `/checkout/${link}/denunciar`,
  "/payment/data/1",
  "/payment/reminders/1",
  "/invoice/data/1",
  "/assinar/clube",
  "/assinatura/1",
  "/assinatura/dados/1",
])("%s is the payers' alone", async (path) => {
  expect((await ask(payers, path)).status).not.toBe(302)
  expect((await ask(panel, path)).headers.location).toBe(`https://${payers}${path}`)
})

test("the panel is not: its pages lead to their host, and no call with a session is answered, even a right one", async () => {
  for (const path of ["/", "/login", "/dashboard", "/admin/users?page=2", "/reset-password/abc", "/api/docs"]) {
    const reply = await ask(payers, path)
    if (path === "/api/docs") expect(reply.status).toBe(404)
    else expect([reply.status, reply.headers.location]).toEqual([302, `https://${panel}${path}`])
  }
  const credentials = { email: "ana@loja.example", password: "senha-da-ana" }
  const calls = [
    await ask(payers, "/api/v1/users/me"),
    await ask(payers, "/api/v1/checkout/pages"),
    await ask(payers, "/api/v1/checkout/pages", "POST", { title: "Outra", amount: 1 }),
    await ask(payers, "/api/v1/admin/users"),
    await ask(payers, "/api/v1/auth/login", "POST", credentials),
    await ask(payers, "/api/v1/withdrawals", "POST", {}),
    await ask(payers, "/webhooks/psp/simulator/segredo", "POST", {}),
    await ask(payers, "/metrics"),
  ]
  expect(calls.map(({ status }) => status)).not.toContain(200)
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([302, 404]))
})

test("on the panel's host a payer's page leads to theirs, while pictures of it and calls are answered", async () => {
  const moved = await ask(panel, `/checkout/${link}?pix=1`)
  expect([moved.status, moved.headers.location]).toEqual([302, `https://${payers}/checkout/${link}?pix=1`])
  expect((await ask(panel, "/payment/error")).headers.location).toBe(`https://${payers}/payment/error`)
  expect((await ask(panel, `/checkout/${link}/qr.svg`)).status).toBe(200)
  expect((await ask(panel, "/api/v1/users/me")).status).toBe(200)
  expect((await ask(panel, `/api/v1/checkout/pages/${link}`)).status).toBe(200)
  expect((await ask(panel, "/login")).text).toContain(`data-payers="https://${payers}"`)
})

test("other names, as of health checks, are served as ever", async () => {
  expect((await ask("10.0.0.7:3000", `/checkout/${link}`)).status).toBe(200)
  expect((await ask("10.0.0.7:3000", "/login")).status).toBe(200)
})
