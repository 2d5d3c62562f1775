import { afterAll, expect, test } from "vitest"
import { newPerson } from "../../../test-support/admins.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")

afterAll(() => site.close())

const logIn = (email: string, password: string, from: string) =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password }, from, headers: { "user-agent": "Firefox/140" } })

interface Record {
  action: string
  actor: { _id: string } | null
  actorAddress: string | null
  about: { user: { _id: string } | null }
  changes: { field: string; after: unknown }[]
}

async function records(action: `session.${"opened" | "refused" | "failed" | "closed" | "ended"}`): Promise<Record[]> {
  const url = `/api/v1/admin/audit-records?action=${action}&limit=1000`
  return (await site.call("GET", url, { token: admin.token })).json.data.records
}

const refusalsOf = async (userId: string | null) =>
  (await records("session.refused")).filter(({ about }) => (about.user?._id ?? null) === userId)
const after = ({ changes }: Record) => Object.fromEntries(changes.map((change) => [change.field, change.after]))

test("each sign-in is recorded once, with its address and device, also after the session has ended", async () => {
  const ana = await newPerson(site, "ana@loja.example")
  const { token } = (await logIn(ana.email, "senha-da-ana", "203.0.113.7")).json
  await site.call("POST", "/api/v1/auth/logout", { token })

  const own = (await records("session.opened")).filter(({ actor }) => actor?._id === ana.id)
  expect(own).toMatchObject([
    { entity: "session", actorAddress: "203.0.113.7", about: { user: { _id: ana.id } } },
    { entity: "session", about: { user: { _id: ana.id } } },
  ])
  expect(own.map(after)).toEqual([{ userAgent: "Firefox/140" }, expect.anything()])
  expect(JSON.stringify(own)).not.toContain(token)
})

test("of any number of wrong passwords only the one that closes the account to an address is recorded", async () => {
  const bia = await newPerson(site, "bia@loja.example")
  for (let n = 0; n < 9; n++) await logIn(bia.email, "chute", "203.0.113.8")
  expect(await refusalsOf(bia.id)).toEqual([])
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => logIn(bia.email, "chute", "203.0.113.8")))).map(
    ({ status }) => status,
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(1)

  const [refusal, ...others] = await refusalsOf(bia.id)
  expect(others).toEqual([])
  expect(refusal).toMatchObject({ actor: null, actorAddress: "203.0.113.8", entity: "session" })
  expect(refusal && after(refusal)).toEqual({ network: "203.0.113.8", attempts: 10 })
})

test("an account that is closed to all strangers is recorded, and an address that is closed to all accounts", async () => {
  const caio = await newPerson(site, "caio@loja.example")
  const failed_at = site.clock.now()
  const guesses = (count: number, failure: (n: number) => { account_key: string; address: string }) =>
    site.db
      .insertInto("failed_logins")
      .values(Array.from({ length: count }, (_, n) => ({ ...failure(n), failed_at })))
      .execute()
  await guesses(99, (n) => ({ account_key: caio.email, address: `10.9.${n}.1` }))
  await logIn(caio.email, "chute", "203.0.113.10")
  await logIn(caio.email, "chute", "203.0.113.11")
  expect((await refusalsOf(caio.id)).map(after)).toEqual([{ network: "203.0.113.10", attempts: 100 }])

  await guesses(99, (n) => ({ account_key: `ninguem${n}@loja.example`, address: "203.0.113.12" }))
  await logIn("ninguem@loja.example", "chute", "203.0.113.12")
  await logIn("ninguem@loja.example", "chute", "203.0.113.12")
  expect((await refusalsOf(null)).map(after)).toEqual([{ network: "203.0.113.12", attempts: 100 }])
})

test("guesses of an e-mail that no account has are recorded without what was typed", async () => {
  const before = (await records("session.refused")).length
  for (let n = 0; n < 12; n++) await logIn("invento@loja.example", "chute", "203.0.113.13")
  expect(await records("session.refused")).toHaveLength(before)
  const failed = (await records("session.failed")).filter(({ actorAddress }) => actorAddress === "203.0.113.13")
  expect(failed).toHaveLength(10)
  expect(failed[0]).toMatchObject({ actor: null, actorDevice: "Firefox/140", about: { user: null } })
  expect(JSON.stringify(failed)).not.toContain("invento")
})

test("signing out, ending a session, and ending the others are recorded, each once", async () => {
  const dora = await newPerson(site, "dora@loja.example")
  const signIn = async (): Promise<string> => (await logIn(dora.email, "senha-da-ana", "203.0.113.14")).json.token
  await site.call("POST", "/api/v1/auth/logout", { token: await signIn() })
  const others = [await signIn(), await signIn(), await signIn()]
  const { sessions } = (await site.call("GET", "/api/v1/users/me/sessions", { token: dora.token })).json.data
  const [, one] = sessions as { _id: string }[]
  await site.call("DELETE", `/api/v1/users/me/sessions/${one?._id}`, { token: dora.token })
  await site.call("DELETE", "/api/v1/users/me/sessions", { token: dora.token })
  expect((await site.call("GET", "/api/v1/users/me", { token: others[0] ?? "" })).status).toBe(401)

  const own = ({ about }: Record) => about.user?._id === dora.id
  expect((await records("session.closed")).filter(own).map(after)).toEqual([{ sessions: 1 }])
  expect((await records("session.ended")).filter(own).map(after)).toEqual([{ sessions: 2 }, { sessions: 1 }])
})
