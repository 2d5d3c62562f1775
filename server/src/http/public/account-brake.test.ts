import { afterAll, expect, test } from "vitest"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const signUp = (email: string) => site.call("POST", "/api/v1/auth/signup", { body: { ...sellerForm, email } })
const logIn = (email: string, password: string, from: string, cookie?: string) =>
  site.call("POST", "/api/v1/auth/login", {
    body: { email, password },
    from,
    ...(cookie !== undefined && { headers: { cookie } }),
  })
const cookieOf = (headers: Record<string, unknown>) => String(headers["set-cookie"]).split(";")[0] ?? ""

async function guess(email: string, count: number): Promise<void> {
  const failed_at = site.clock.now()
  const failures = Array.from({ length: count }, (_, n) => ({ account_key: email, address: `10.9.${n}.1`, failed_at }))
  await site.db.insertInto("failed_logins").values(failures).execute()
}

test("addresses of one IPv6 /64 are one guesser", async () => {
  await signUp("seis@loja.example")
  const statuses = []
  for (let n = 0; n < 12; n += 1)
    statuses.push((await logIn("seis@loja.example", "chute", `2001:db8:0:1::${n + 1}`)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  expect((await logIn("seis@loja.example", "senha-da-ana", "2001:db8:0:2::1")).status).toBe(200)
})

test("beyond 100 failures a day only known devices get in, and a reset by mail; strangers hear the same of no account", async () => {
  const email = "alvo@loja.example"
  await signUp(email)
  const first = await logIn(email, "senha-da-ana", "10.1.0.1")
  expect(first.headers["set-cookie"]).toMatch(
    /^tilinta_device=[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  )
  await guess(email, 99)
  expect((await logIn(email, "chute", "10.2.0.1")).status).toBe(401)

  const refused = await logIn(email, "senha-da-ana", "10.2.0.2")
  expect(refused.status).toBe(429)
  expect(refused.json.message).toContain("redefina a sua senha")
  await guess("ninguem@loja.example", 100)
  expect((await logIn("ninguem@loja.example", "chute", "10.2.0.2")).json).toEqual(refused.json)

  const device = cookieOf(first.headers)
  const known = await logIn(email, "senha-da-ana", "10.2.0.2", `outra=1; ${device}`)
  expect(known.status).toBe(200)
  expect(known.headers["set-cookie"]).toBeUndefined()
  const other = await signUp("outro@loja.example")
  expect(other.headers["set-cookie"]).toMatch(/^tilinta_device=/)
  await guess("outro@loja.example", 100)
  expect((await logIn("outro@loja.example", "senha-da-ana", "10.2.0.2", device)).status).toBe(429)
  expect((await logIn(email, "senha-da-ana", "10.2.0.2", `tilinta_device=${"A".repeat(43)}`)).status).toBe(429)

  site.clock.pass(24 * 3600)
  expect((await logIn(email, "senha-da-ana", "10.2.0.2")).status).toBe(200)
})

test("a known device has ten guesses like others, and a neighbour's failures aren't its own", async () => {
  const email = "vizinha@loja.example"
  await signUp(email)
  const device = cookieOf((await logIn(email, "senha-da-ana", "10.3.0.1")).headers)
  for (let n = 0; n < 10; n += 1) await logIn(email, "chute", "10.3.0.1")
  expect((await logIn(email, "senha-da-ana", "10.3.0.1")).status).toBe(429)
  expect((await logIn(email, "senha-da-ana", "10.3.0.1", device)).status).toBe(200)
  for (let n = 0; n < 10; n += 1) expect((await logIn(email, "chute", "10.3.0.1", device)).status).toBe(401)
  expect((await logIn(email, "senha-da-ana", "10.3.0.1", device)).status).toBe(429)
})
