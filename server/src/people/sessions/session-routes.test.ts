import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const url = "/api/v1/users/me/sessions"
const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

interface Session {
  _id: string
  createdAt: string
  lastUsedAt: string
  address: string
  userAgent: string
  current: boolean
}

async function logIn(email: string, { from = "127.0.0.1", userAgent = agent } = {}): Promise<string> {
  const reply = await site.call("POST", "/api/v1/auth/login", {
    body: { email, password: sellerForm.password },
    headers: { "user-agent": userAgent },
    from,
  })
  return reply.json.token
}

const list = async (token: string): Promise<Session[]> => (await site.call("GET", url, { token })).json.data.sessions
const end = (token: string, id: string) => site.call("DELETE", `${url}/${id}`, { token })
const endOthers = (token: string) => site.call("DELETE", url, { token })
const statusOfMe = async (token: string) => (await site.call("GET", "/api/v1/users/me", { token })).status

test.for([
  ["GET", url],
  ["DELETE", url],
  ["DELETE", `${url}/${newId()}`],
] as const)("%s %s: nobody without a session", async ([method, path]) => {
  expect((await site.call(method, path)).status).toBe(401)
})

describe("the list", () => {
  test("shows where each session came from, the own one first, then the one used last", async () => {
    const email = "lista@loja.example"
    const signup = await site.call("POST", "/api/v1/auth/signup", {
      body: { ...sellerForm, email },
      headers: { "user-agent": "curl/8" },
      from: "10.0.0.1",
    })
    const opened = site.clock.now().toISOString()
    site.clock.pass(60)
    const phone = await logIn(email, { from: "10.0.0.2", userAgent: "Telefone" })
    site.clock.pass(60)
    await logIn(email, { from: "10.0.0.3", userAgent: "Tablet" })
    const sessions = await list(phone)
    expect(sessions.map(({ userAgent, address, current }) => [userAgent, address, current])).toEqual([
      ["Telefone", "10.0.0.2", true],
      ["Tablet", "10.0.0.3", false],
      ["curl/8", "10.0.0.1", false],
    ])
    expect(sessions[2]).toMatchObject({ createdAt: opened, lastUsedAt: opened })
    expect(new Set(sessions.map(({ _id }) => _id)).size).toBe(3)
    expect((await list(signup.json.token)).find(({ current }) => current)?.userAgent).toBe("curl/8")
  })

  test("Z11: shows neither tokens nor their hashes", async () => {
    const token = await site.signUp("segredo@loja.example")
    const { text } = await site.call("GET", url, { token })
    const row = await site.db.selectFrom("sessions").select("token_hash").orderBy("created_at", "desc").execute()
    for (const { token_hash } of row) {
      for (const encoding of ["hex", "base64", "base64url"] as const) {
        expect(text).not.toContain(token_hash.toString(encoding))
      }
    }
    expect(text).not.toContain(token)
    expect(Object.keys((await list(token))[0] ?? {}).sort()).toEqual(
      ["_id", "address", "createdAt", "current", "lastAddress", "lastUsedAt", "userAgent"].sort(),
    )
  })

  test("a browser's name is cut to 200 characters, and may be missing", async () => {
    const email = "nome@loja.example"
    await site.signUp(email)
    const long = await logIn(email, { userAgent: "x".repeat(5_000) })
    expect((await list(long))[0]?.userAgent).toBe("x".repeat(200))
    const none = await logIn(email, { userAgent: "" })
    expect((await list(none))[0]?.userAgent).toBe("")
  })

  test("sessions that ended by themselves are not in it", async () => {
    const email = "velha@loja.example"
    await site.signUp(email)
    site.clock.pass(7 * 86_400)
    expect(await list(await logIn(email))).toHaveLength(1)
  })

  test("the last use is true to five minutes", async () => {
    const token = await site.signUp("uso@loja.example")
    site.clock.pass(301)
    expect((await list(token))[0]?.lastUsedAt).toBe(site.clock.now().toISOString())
  })
})

describe("ending", () => {
  test("one session ends and no other; a second time it isn't there", async () => {
    const email = "uma@loja.example"
    const [mine, other, third] = [await site.signUp(email), await logIn(email), await logIn(email)]
    const id = (await list(other))[0]?._id ?? ""
    const reply = await end(mine, id)
    expect([reply.status, reply.text]).toEqual([204, ""])
    expect([await statusOfMe(mine), await statusOfMe(other), await statusOfMe(third)]).toEqual([200, 401, 200])
    const again = await end(mine, id)
    expect([again.status, again.json.message]).toEqual([404, "Sessão não encontrada."])
  })

  test("of the same session ended ten times at once one finds it", async () => {
    const email = "dez@loja.example"
    const [mine, other] = [await site.signUp(email), await logIn(email)]
    const id = (await list(other))[0]?._id ?? ""
    const replies = await Promise.all(Array.from({ length: 10 }, () => end(mine, id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })

  test("another user's is not found, and stays open", async () => {
    const [mine, theirs] = [await site.signUp("eu@loja.example"), await site.signUp("ela@loja.example")]
    const id = (await list(theirs))[0]?._id ?? ""
    expect((await end(mine, id)).status).toBe(404)
    expect(await statusOfMe(theirs)).toBe(200)
    for (const unknown of ["nada", newId(), "%27", "x".repeat(199)]) expect((await end(mine, unknown)).status).toBe(404)
  })

  test("the own one ends like a logout", async () => {
    const mine = await site.signUp("propria@loja.example")
    expect((await end(mine, (await list(mine))[0]?._id ?? "")).status).toBe(204)
    expect(await statusOfMe(mine)).toBe(401)
  })

  test("all other sessions end, this one stays, other users' are untouched; repeating it is harmless", async () => {
    const email = "todas@loja.example"
    const [mine, other, stranger] = [
      await site.signUp(email),
      await logIn(email),
      await site.signUp("alheia@loja.example"),
    ]
    for (const status of [204, 204]) expect((await endOthers(mine)).status).toBe(status)
    expect([await statusOfMe(mine), await statusOfMe(other), await statusOfMe(stranger)]).toEqual([200, 401, 200])
    expect(await list(mine)).toHaveLength(1)
  })
})
