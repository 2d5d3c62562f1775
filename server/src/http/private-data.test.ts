import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { sendPayouts } from "#money/withdrawals/pay"
import { type EdgeWorld, openEdgeWorld } from "../../test-support/edge-world.ts"
import { giveBalance } from "../../test-support/give-balance.ts"
import { deliverMails } from "../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm, type TestApp } from "../../test-support/test-app.ts"
import { processInbox } from "../../test-support/test-webhooks.ts"

let lines: string[] = []
const log = createLog("trace", { write: (line) => lines.push(line) })

lines = []
const world = await openEdgeWorld({ log })
const broken = await openTestApp({ log })

afterAll(async () => {
  await world.close()
  await broken.close()
})

const canary = {
  email: "canario-dona@loja.example",
  cpf: "71428793860",
  phone: "11976543210",
  password: "senha-canario-7391",
  newPassword: "outra-canario-1937",
  pixKey: "b6295ee1-f054-47d1-9e90-ee57b74f60d9",
  payerName: "Canário Amarelo da Silva",
  payerEmail: "canario-pagador@cliente.example",
  payerDocument: "39053344705",
  payerPhone: "21988887777",
}

/** Runs the story and collects every secret that it creates, besides the initial ones. */
async function tell(site: TestApp, secrets: Set<string>): Promise<string> {
  const { email, password, cpf, phone, newPassword, pixKey } = canary
  const form = { ...sellerForm, email, password, passwordConfirm: password, cpf, phone }
  const { token, data } = (await site.call("POST", "/api/v1/auth/signup", { body: form })).json
  await site.call("POST", "/api/v1/auth/signup", { body: form })
  await site.call("POST", "/api/v1/auth/login", { body: { email, password: `${password}x` } })
  await site.call("PATCH", "/api/v1/users/updateMe", { token, body: { phone, bankAccount: { pixKey } } })
  await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
  const [mail] = await deliverMails(site, email)
  const reset = /reset-password\/([\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? ""
  await site.call("GET", `/reset-password/${reset}`)
  const twice = { password: newPassword, passwordConfirm: newPassword }
  await site.call("PATCH", `/api/v1/auth/resetPassword/${reset}`, { body: twice })
  await site.call("PATCH", `/api/v1/auth/resetPassword/${reset}`, { body: twice })
  const login = await site.call("POST", "/api/v1/auth/login", { body: { email, password: newPassword } })
  await site.call("POST", "/api/v1/auth/login", { rawBody: `{"email":"${email}","password":"${password}"` })
  for (const secret of [token, reset, login.json.token]) {
    expect(secret).toMatch(/^[\w-]{43}$/)
    secrets.add(secret)
  }
  await giveBalance(site.db, data.user._id, 50_000)
  return login.json.token
}

async function pay(site: TestApp, token: string) {
  const page = { title: "Aula", slug: "aula", amount: 30, customerInfo: { requireName: true, requireCpf: true } }
  const { json } = await site.call("POST", "/api/v1/checkout/pages", {
    token,
    body: { ...page, requireCustomerData: true },
  })
  const { payerName: name, payerEmail: email, payerDocument: cpf, payerPhone: phone } = canary
  const body = { checkoutPageId: json.data.checkoutPage._id, customerInfo: { name, email, cpf, phone } }
  return site.call("POST", "/api/v1/checkout/process-modern-pix-payment", { body })
}

async function withdraw(site: EdgeWorld, token: string): Promise<void> {
  const body = { amount: 20, paymentMethod: "pix", pixKey: canary.pixKey }
  const { json } = await site.call("POST", "/api/v1/withdrawals", { token, body })
  const admin = await site.user("admin")
  const path = `/api/v1/admin/withdrawals/${json.data.withdrawal._id}/approve`
  expect((await site.call("PATCH", path, { token: admin.token, body: {} })).status).toBe(200)
  await sendPayouts({ ...site, psp: site.psp })
}

async function loseTable(site: TestApp, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: site.database.url })
  await client.connect()
  await client.query(`alter table ${table} rename to ${table}_gone`)
  await client.end()
}

test("V01: personal data and secrets appear in no log line and no metric", async () => {
  const secrets = new Set<string>(Object.values(canary))
  const token = await tell(world, secrets)
  const paid = await pay(world, token)
  expect(paid.status).toBe(201)
  secrets.add(paid.json.data.pixCode)
  await withdraw(world, token)

  const brokenToken = await tell(broken, secrets)
  expect((await pay(broken, brokenToken)).status).toBe(503)
  const receipt = {
    pix: [{ endToEndId: "E1", txid: "x", valor: "1", pagador: { cpf: canary.payerDocument, nome: canary.payerName } }],
  }
  await broken.app.inject({ method: "POST", url: "/webhooks/simulator/segredo/pix", payload: receipt })
  await processInbox({ ...broken, psp: world.psp, log }).catch(() => undefined)
  await loseTable(broken, "users")
  expect(
    (await broken.call("POST", "/api/v1/auth/login", { body: { email: canary.email, password: canary.newPassword } }))
      .status,
  ).toBe(500)
  expect((await broken.call("GET", "/api/v1/users/me", { token: brokenToken })).status).toBe(500)

  const logged = lines.join("")
  const { text: metrics } = await world.call("GET", "/metrics")
  expect(logged).toMatch(/request failed/)
  expect(logged).toMatch(/request not served/)
  expect(metrics).toContain("http_request_duration_seconds")
  for (const secret of secrets) {
    expect({ secret, isLogged: logged.includes(secret), isMeasured: metrics.includes(secret) }).toEqual({
      secret,
      isLogged: false,
      isMeasured: false,
    })
  }
})
