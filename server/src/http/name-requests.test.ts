import { afterAll, beforeAll, expect, test } from "vitest"
import { newPerson } from "../../test-support/admins.ts"
import { openTestApp, type TestApp } from "../../test-support/test-app.ts"

let site: TestApp

beforeAll(async () => {
  site = await openTestApp({ trustedProxies: ["127.0.0.1"] })
})

afterAll(() => site.close())

const ask = (url: string, method: "GET" | "POST" | "BREW" = "GET") =>
  site.app.inject({ method: method as "GET", url, headers: { "x-request-id": "escolhido-por-mim" } })

test("every answer has an id of its own, and never one that a caller chose", async () => {
  const urls = ["/login", "/checkout/nenhuma", "/api/v1/users/me", "/api/v1/nada", "/api/v1/%E0", "/healthz", "/x.js"]
  const answers = await Promise.all([...urls.map((url) => ask(url)), ask("/api/v1/auth/login", "POST")])
  const ids = answers.map(({ headers }) => headers["x-request-id"])
  for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
  expect(new Set(ids).size).toBe(answers.length)
})

test("what somebody does is recorded with the answer's id and the device", async () => {
  const ana = await newPerson(site, "ana@loja.example")
  const { headers } = await site.app.inject({
    method: "PATCH",
    url: "/api/v1/users/updateMe",
    headers: { authorization: `Bearer ${ana.token}`, "user-agent": "Firefox/140\u0007" },
    payload: { name: "Ana Maria" },
  })
  const records = site.db.selectFrom("audit_records").selectAll().where("action", "=", "user.profile_updated")
  expect(await records.executeTakeFirstOrThrow()).toMatchObject({
    ...{ actor_id: ana.id, actor_address: "127.0.0.1", actor_device: "Firefox/140 " },
    request_id: headers["x-request-id"],
  })
})
