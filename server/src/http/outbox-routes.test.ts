import type { AddressInfo } from "node:net"
import Fastify from "fastify"
import { afterAll, expect, test } from "vitest"
import { deliverMails } from "../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm } from "../../test-support/test-app.ts"

const bank = Fastify()
const asked: string[] = []
const seenCallers: string[] = []
bank.all("/simulador/*", (request, reply) => {
  asked.push(request.url)
  seenCallers.push(String(request.headers["x-forwarded-for"]))
  return reply.send("banco")
})
await bank.listen({ host: "127.0.0.1", port: 0 })
const site = await openTestApp({ simulatorUrl: bankUrl() })
for (const email of ["ana@loja.example", "bia@loja.example"]) {
  const token = await site.signUp(email)
  for (const pixKey of ["chave-1", "chave-2"]) {
    await site.call("PATCH", "/api/v1/users/updateMe", { token, body: { bankAccount: { pixKey } } })
    await deliverMails(site)
    site.clock.pass(1)
  }
}

afterAll(async () => {
  await site.close()
  await bank.close()
})

function bankUrl(): string {
  return `http://127.0.0.1:${(bank.server.address() as AddressInfo).port}`
}

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

const far = "203.0.113.7"
const proxied: Record<string, string>[] = [
  ...["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"].map((name) => ({
    [name]: far,
  })),
  { "x-forwarded-for": `127.0.0.1, ${far}` },
  { "x-forwarded-for": `${far}, 127.0.0.1` },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": far },
  { "x-forwarded-for": "127.evil.example" },
  { forwarded: `for=${far};proto=https` },
  { forwarded: 'for=127.0.0.1, for="[2001:db8::7]:4711"' },
  { forwarded: "for=_hidden" },
  { forwarded: "proto=https" },
  { via: "1.1 proxy" },
  { "x-forwarded-proto": "https" },
  { host: "evil.example" },
  { host: "localhost.evil.example" },
  { host: "10.0.0.7:3000" },
  { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "pix.exemplo.com.br" },
]

test.each(proxied)(
  "a stranger behind a proxy that sends %j sees no mail, and has no hand on the bank",
  async (headers) => {
    for (const path of ["/simulador/emails", "/simulador/api/emails"]) {
      expect((await site.call("GET", path, { headers })).status).toBe(403)
    }
    await site.call("GET", "/simulador/api/controle", { headers })
    expect(seenCallers.pop()).not.toMatch(/^127/)
  },
)

test("a page has 50 mails, within landmarks, and the next one begins after it", async () => {
  const rows = Array.from({ length: 52 }, (_, index) => ({
    id: `0199aa00-0000-7000-8000-0000000001${String(index).padStart(2, "0")}`,
    to_address: "caio@loja.example",
    to_key: "caio@loja.example",
    subject: `Aviso ${index + 1}.`,
    text: "Olá.",
    html: "<p>Olá.</p>",
    sent_at: site.clock.now(),
  }))
  await site.db.insertInto("outbox_mails").values(rows).execute()
  const first = await site.call("GET", "/simulador/emails?to=caio@loja.example")
  expect(first.text.match(/<article>/g)).toHaveLength(50)
  expect(first.text).toMatch(/<header[^>]*>Ambiente de teste/)
  expect(first.text).toMatch(/<main>[\s\S]*<nav aria-label="Paginação">[\s\S]*<\/main>/)
  const [, next = ""] = /<a href="([^"]*)" rel="next">/.exec(first.text) ?? []
  const last = await site.call("GET", next.replaceAll("&amp;", "&"))
  expect(last.text.match(/Aviso \d+\./g)?.filter((word, at, all) => all.indexOf(word) === at)).toEqual([
    "Aviso 2.",
    "Aviso 1.",
  ])
  expect(last.text).not.toContain('rel="next"')
  expect(last.text).toContain("Mais recentes")
  for (const after of ["x", "0199aa00-0000-7000-8000-0000000009ff"]) {
    expect((await site.call("GET", `/simulador/emails?after=${after}`)).status).toBe(400)
  }
})

test("a letter is shown as HTML in a frame that runs no script", async () => {
  const { text } = await site.call("GET", "/simulador/emails?to=ana@loja.example")
  const [, path = ""] = /<iframe[^>]* src="([^"]*)"/.exec(text) ?? []
  const letter = await site.call("GET", path)
  expect(letter.text).toContain('<base target="_blank">')
  expect(letter.text).toContain(`Olá, ${sellerForm.name}.`)
  const policy = String(letter.headers["content-security-policy"])
  expect(policy).toContain("sandbox allow-popups allow-popups-to-escape-sandbox")
  expect(policy).toContain("default-src 'none'; style-src 'unsafe-hashes' 'sha256-")
  expect(policy).not.toContain("unsafe-inline")
  expect(letter.headers["x-frame-options"]).toBe("SAMEORIGIN")
  expect((await site.call("GET", path, { from: "203.0.113.7" })).status).toBe(403)
  for (const id of ["x", "0199aa00-0000-7000-8000-0000000009ff"]) {
    expect((await site.call("GET", `/simulador/emails/${id}`)).status).toBe(404)
  }
})

test("only this machine sees them, also through a proxy on it", async () => {
  for (const path of ["/simulador/emails", "/simulador/api/emails"]) {
    expect((await site.call("GET", path, { from: far })).status).toBe(403)
    expect((await site.call("GET", path, { from: "172.17.0.1" })).status).toBe(403)
    expect((await site.call("GET", path, { from: "::1" })).status).toBe(200)
    for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "tilinta.localhost"]) {
      const headers = { host, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" }
      expect((await site.call("GET", path, { headers })).status).toBe(200)
    }
    expect((await site.call("GET", path, { headers: { forwarded: 'for="[::1]:80";proto=http' } })).status).toBe(200)
  }
  await site.call("GET", "/simulador/api/controle")
  expect(seenCallers.pop()).toBe("127.0.0.1")
})

test("a container's bridge may be let in, with those whom a proxy on it names, by no name but ours", async () => {
  const overrides = { networks: ["172.17.0.1", "10.89.7.0/24"], publicUrl: "https://pix.exemplo.com.br" }
  const open = await openTestApp({ ...overrides, simulatorUrl: bankUrl() })
  const statusOf = async (from: string, headers: Record<string, string>) => {
    const { status } = await open.call("GET", "/simulador/emails", { from, headers })
    await open.call("GET", "/simulador/api/controle", { from, headers })
    expect(seenCallers.pop()).toBe(status === 200 ? "127.0.0.1" : "unknown")
    return status
  }
  try {
    for (const host of ["localhost:3000", "pix.exemplo.com.br", "10.89.7.2:3000", "server-1:3000", "[fd00::2]:3000"]) {
      expect(await statusOf("172.17.0.1", { host })).toBe(200)
      expect(await statusOf("::ffff:172.17.0.1", { host })).toBe(200)
      expect(await statusOf("10.89.7.9", { host, "x-forwarded-for": "172.17.0.1", "x-forwarded-host": host })).toBe(200)
      expect(await statusOf("172.17.0.2", { host })).toBe(403)
      expect(await statusOf("172.17.0.1", { host, "x-forwarded-for": far })).toBe(403)
      expect(await statusOf("172.17.0.1", { host, "x-forwarded-proto": "https" })).toBe(403)
      expect(await statusOf("172.17.0.1", { host, "x-forwarded-host": "evil.example" })).toBe(403)
    }
    expect(await statusOf("172.17.0.1", { host: "evil.example" })).toBe(403)
    expect(await statusOf("127.0.0.1", {})).toBe(200)
    // A proxy on this machine that names nobody would let everybody in.
    expect(await statusOf("127.0.0.1", { host: "pix.exemplo.com.br" })).toBe(403)
  } finally {
    await open.close()
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
