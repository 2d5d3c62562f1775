import { afterAll, expect, test } from "vitest"
import { openEdgeWorld } from "../../../test-support/edge-world.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { sellerForm } from "../../../test-support/test-app.ts"

const world = await openEdgeWorld()
const seller = await world.user()

afterAll(() => world.close())

const url = "/api/v1/users/me/return-origins"
const read = async () => (await world.call("GET", url, { token: seller.token })).json.data
const put = (origins: unknown, more: object = {}) =>
  world.call("PUT", url, { token: seller.token, body: { origins, ...more }, from: "203.0.113.9" })
const rotate = (headers = {}, more: object = {}) =>
  world.call("POST", `${url}/rotate`, { token: seller.token, headers, body: more, from: "203.0.113.9" })

test("the first list makes the key, which is shown once; later ones keep it, and each change is in the audit", async () => {
  expect(await read()).toEqual({ origins: [], hasKey: false })
  const origins = ["https://loja.example", "http://localhost:4242", "https://outra.example:8443"]
  const { status, json } = await put(origins)
  const data = { origins, hasKey: true, signingKey: expect.any(String) }
  expect({ status, data: json.data }).toEqual({ status: 200, data })
  expect(json.data.signingKey).toMatch(/^rtk_[\w-]{43}$/)
  expect((await put(["https://loja.example"])).json.data.signingKey).toBeNull()
  expect(await read()).toEqual({ origins: ["https://loja.example"], hasKey: true })
  const records = await world.db
    .selectFrom("audit_records")
    .select(["action", "actor_address", "actor_device", "request_id", "after"])
    .where("entity_id", "=", seller.id)
    .where("action", "=", "return_origins.changed")
    .orderBy("id")
    .execute()
  expect(records.map(({ after }) => after)).toEqual([
    { origins: origins.join(", ") },
    { origins: "https://loja.example" },
  ])
  expect(records[0]).toMatchObject({
    ...{ actor_address: "203.0.113.9", actor_device: expect.any(String), request_id: expect.any(String) },
  })
})

test("origins are kept as browsers write them, each once", async () => {
  const { json } = await put(["HTTPS://Loja.Example/", " https://loja.example:443 ", "https://ação.example"])
  expect(json.data.origins).toEqual(["https://loja.example", "https://xn--ao-siap.example"])
})

test.each([
  "https://loja.example/caminho",
  "https://loja.example?x=1",
  "https://loja.example#x",
  "https://ana:senha@loja.example",
  "http://loja.example",
  "http://localhost.evil.example",
  "http://10.0.0.1",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "null",
  "*",
  "https://*.example",
  "",
])("not an origin that may be allowed: %s", async (origin) => {
  const { status, json } = await put(["https://loja.example", origin])
  expect({ status, path: json.errors?.[0]?.path }).toEqual({ status: 422, path: "origins.1" })
})

test("more than twenty, and what is no list of texts, are refused", async () => {
  expect((await put(Array.from({ length: 21 }, (_, at) => `https://l${at}.example`))).status).toBe(422)
  for (const origins of ["https://loja.example", [7], undefined]) expect((await put(origins)).status).not.toBe(200)
})

test("rotating replaces the key and shows it once; the same Idempotency-Key replaces it once", async () => {
  const again = { "idempotency-key": "trocar-1" }
  const replies = await Promise.all([1, 2, 3].map(() => rotate(again)))
  const keys = replies.map(({ json }) => json.data.signingKey).filter((key) => key !== null)
  expect(keys).toEqual([expect.stringMatching(/^rtk_[\w-]{43}$/)])
  expect((await rotate(again)).json.data.signingKey).toBeNull()
  expect((await rotate()).json.data.signingKey).not.toBe(keys[0])
  expect(JSON.stringify(await read())).not.toContain("rtk_")
})

test("of two first lists at once one makes the key", async () => {
  const other = await world.user()
  const body = { origins: ["https://loja.example"] }
  const replies = await Promise.all([1, 2, 3].map(() => world.call("PUT", url, { token: other.token, body })))
  expect(replies.filter(({ json }) => json.data.signingKey !== null)).toHaveLength(1)
})

test("the owner hears of another list and another key, from which device and address, with a way to stop it", async () => {
  const other = await world.user()
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0" }
  const from = { token: other.token, from: "203.0.113.9", headers }
  const save = () => world.call("PUT", url, { ...from, body: { origins: ["https://evil.example"] } })
  await save()
  const mails = async () => (await deliverMails(world, other.email)).map(({ subject, text }) => ({ subject, text }))
  const says = async (subject: string, ...parts: string[]) => {
    const mail = (await mails()).find((each) => each.subject === subject)
    for (const part of [...parts, "203.0.113.9", "Firefox no Linux", "/not-me/"]) expect(mail?.text).toContain(part)
    expect(mail?.text).not.toContain("rtk_")
  }
  await says("Os sites de retorno à loja foram alterados", "https://evil.example")
  await world.call("POST", `${url}/rotate`, { ...from, body: {} })
  await says("A chave que assina o retorno à loja foi trocada")
  const before = (await mails()).length
  await save()
  expect(await mails()).toHaveLength(before)
})

test("no API key may read or change them", async () => {
  const { key } = await insertApiKey(world.db, seller.id)
  for (const [method, address] of [
    ["GET", url],
    ["PUT", url],
    ["POST", `${url}/rotate`],
  ] as const) {
    const body = method === "GET" ? {} : { body: { origins: [] } }
    expect(await world.call(method, address, { token: key, ...body })).toMatchObject({
      ...{ status: 403, json: { code: "api_key_not_accepted" } },
    })
  }
})

test("a change needs one proof: the session's confirmation or the password, which must be right when it is sent", async () => {
  expect((await put(["https://loja.example"])).status).toBe(200)
  expect((await put([], { passwordCurrent: "errada" })).status).toBe(422)
  world.clock.pass(300)
  const before = await read()
  for (const [passwordCurrent, message] of [
    [undefined, "Informe a sua senha atual."],
    [null, "Informe a sua senha atual."],
    ["", "Informe a sua senha atual."],
    ["errada", "Senha atual incorreta"],
  ]) {
    for (const reply of [await put([], { passwordCurrent }), await rotate({}, { passwordCurrent })]) {
      expect(reply).toMatchObject({ status: 422, json: { errors: [{ path: "passwordCurrent", message }] } })
    }
  }
  // No password is no guess of one.
  const failures = world.db.selectFrom("failed_logins").select("id").where("account_key", "=", seller.email)
  expect(await failures.execute()).toHaveLength(3)
  expect(await read()).toEqual(before)
  const passwordCurrent = sellerForm.password
  expect((await put(["https://loja.example"], { passwordCurrent })).status).toBe(200)
  expect((await rotate({}, { passwordCurrent })).status).toBe(200)
})

test("outside the sandbox origins need https", async () => {
  await world.db.insertInto("money_kind").values({ kind: "real", chosen_at: world.clock.now() }).execute()
  const passwordCurrent = sellerForm.password
  expect((await put(["http://localhost:4242"], { passwordCurrent })).status).toBe(422)
  expect((await put(["https://loja.example"], { passwordCurrent })).status).toBe(200)
})
