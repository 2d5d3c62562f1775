import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { newPerson } from "../../test-support/admins.ts"
import { openTestApp } from "../../test-support/test-app.ts"
import { createServer } from "./create-server.ts"

const site = await openTestApp({ trustedProxies: ["127.0.0.1"] })

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

test("a trusted proxy's trace is in every log line of its request, and nobody else's", async () => {
  const lines: string[] = []
  const log = createLog("warn", { write: (line) => lines.push(line) })
  const pressure = { level: () => "calm" as const }
  const app = createServer({ log, trustedProxies: ["10.0.0.0/8"], pressure })
  app.get("/logs", async () => {
    log.warn("within a request")
    return {}
  })
  try {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`
    const traceOf = async (from: string, headers: Record<string, string>) => {
      lines.length = 0
      const { headers: answered } = await app.inject({ url: "/logs", headers, remoteAddress: from })
      const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === "within a request")
      expect(line.requestId).toBe(answered["x-request-id"])
      return line.traceId
    }
    expect(await traceOf("10.1.2.3", { traceparent, "x-request-id": "a-b-c-d-e-f" })).toBe(trace)
    expect(await traceOf("10.1.2.3", { "x-request-id": "a-b-c-d-e-f" })).toBe("a-b-c-d-e-f")
    expect(await traceOf("203.0.113.7", { traceparent, "x-request-id": "a-b-c-d-e-f" })).toBeUndefined()
    for (const bad of ["00-0-0-01", traceparent.replace(trace, "0".repeat(32)), `${traceparent}-x`]) {
      expect(await traceOf("10.1.2.3", { traceparent: bad, "x-request-id": 'a b"c' })).toBeUndefined()
    }
    expect(await traceOf("10.1.2.3", {})).toBeUndefined()
  } finally {
    await app.close()
  }
})
