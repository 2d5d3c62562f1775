import Fastify, { type FastifyInstance } from "fastify"
import { afterAll, beforeAll, expect, test } from "vitest"
import { deliverMails } from "../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm, type TestApp } from "../../test-support/test-app.ts"

let bank: FastifyInstance
let site: TestApp
let asked: string[]

beforeAll(async () => {
  bank = Fastify()
  asked = []
  bank.all("/simulador/*", (request, reply) => {
    asked.push(request.url)
    return reply.send("banco")
  })
  const url = await bank.listen({ host: "127.0.0.1", port: 0 })
  site = await openTestApp({ simulatorUrl: url })
  for (const email of ["ana@loja.example", "bia@loja.example"]) {
    const token = await site.signUp(email)
    for (const pixKey of ["chave-1", "chave-2"]) {
      await site.call("PATCH", "/api/v1/users/updateMe", { token, body: { bankAccount: { pixKey } } })
      await deliverMails(site)
      site.clock.pass(1)
    }
  }
})

afterAll(async () => {
  await site.close()
  await bank.close()
})

test("the mails of an address come newest first, whatever its case", async () => {
  const reply = await site.call("GET", "/simulador/api/emails?to=ANA@loja.example")
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({
    emails: ["2026-11-21T12:00:01.000Z", "2026-11-21T12:00:00.000Z"].map((sentAt) => ({
      to: "ana@loja.example",
      subject: "Seus dados de recebimento foram alterados",
      text: expect.stringContaining(`Olá, ${sellerForm.name}.`),
      html: expect.stringContaining("<!doctype html>"),
      sentAt,
    })),
  })
  expect((await site.call("GET", "/simulador/api/emails?to=ninguem@loja.example")).json).toEqual({ emails: [] })
  expect((await site.call("GET", "/simulador/api/emails")).json.emails).toHaveLength(4)
  expect((await site.call("GET", "/simulador/api/emails?to=a&to=b")).status).toBe(400)
})

test("neither is asked of the bank", async () => {
  await site.call("GET", "/simulador/emails?to=x")
  await site.call("GET", "/simulador/api/emails")
  expect(asked).toEqual([])
  expect((await site.call("GET", "/simulador/outra")).text).toBe("banco")
})

test("the page shows them as text, marked as a test, under a policy that allows no script but its own", async () => {
  await site.db
    .insertInto("outbox_mails")
    .values({
      id: "0199aa00-0000-7000-8000-000000000002",
      to_address: "<img src=x>@mal.example",
      to_key: "x",
      subject: "<script>alert(1)</script>",
      text: "http://localhost:3000/reset-password/abc http://evil.example/ <b>oi</b>",
      html: "<script>alert(2)</script>",
      sent_at: site.clock.now(),
    })
    .execute()
  const { text, headers } = await site.call("GET", '/simulador/emails?to="><script>')
  const all = await site.call("GET", "/simulador/emails")
  expect(text).toContain("Nenhum e-mail encontrado.")
  expect(all.text).toContain("Ambiente de teste")
  expect(all.text).toContain('<a href="http://localhost:3000/reset-password/abc">')
  expect(all.text).not.toContain('href="http://evil')
  expect(text + all.text).not.toMatch(/<(script|img|b)\b/)
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-/)
  expect(headers["content-security-policy"]).not.toContain("unsafe")
  expect(headers["cache-control"]).toBe("no-store")
})

test("only this machine sees them, also through a proxy on it", async () => {
  for (const path of ["/simulador/emails", "/simulador/api/emails"]) {
    expect((await site.call("GET", path, { from: "203.0.113.7" })).status).toBe(403)
    expect((await site.call("GET", path, { from: "172.17.0.1" })).status).toBe(403)
    const forwarded = { headers: { "x-forwarded-for": "127.0.0.1, 203.0.113.7" } }
    expect((await site.call("GET", path, forwarded)).status).toBe(403)
    expect((await site.call("GET", path, { from: "::1" })).status).toBe(200)
    expect((await site.call("GET", path, { headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(200)
  }
})

test("with a real provider there is no outbox to look into", async () => {
  const real = await openTestApp()
  try {
    expect((await real.call("GET", "/simulador/emails")).status).toBe(404)
    expect((await real.call("GET", "/simulador/api/emails")).status).toBe(404)
  } finally {
    await real.close()
  }
})
