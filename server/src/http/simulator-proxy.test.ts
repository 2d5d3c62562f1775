import Fastify from "fastify"
import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"

const bank = Fastify()
bank.get("/simulador/", (_request, reply) =>
  reply.header("content-security-policy", "default-src 'self'").type("text/html").send("banco"),
)
bank.post("/simulador/api/pagamentos", (request, reply) => reply.code(422).send({ got: request.body }))
bank.get("/v2/cob", () => "not for everybody")
const url = await bank.listen({ host: "127.0.0.1", port: 0 })
const site = await openTestApp({ simulatorUrl: url })

afterAll(async () => {
  await site.close()
  await bank.close()
})

test("the bank's pages come through unchanged, under their own policy", async () => {
  const reply = await site.call("GET", "/simulador/")
  expect(reply.text).toBe("banco")
  expect(reply.headers["content-security-policy"]).toBe("default-src 'self'")
})

test("calls come through with their body and their status", async () => {
  const reply = await site.call("POST", "/simulador/api/pagamentos", { body: { pixCopiaECola: "x" } })
  expect(reply.status).toBe(422)
  expect(reply.json).toEqual({ got: { pixCopiaECola: "x" } })
})

// Its length without its bytes would make the bank read the next request on that connection as the body.
test("a GET with a body, which is not passed on, leaves the next request its answer", async () => {
  for (let asked = 0; asked < 2; asked += 1) {
    const headers = { "content-type": "application/json" }
    const reply = await site.call("GET", "/simulador/", { rawBody: "{}".repeat(30), headers })
    expect([reply.status, reply.text]).toEqual([200, "banco"])
  }
})

test("a body that the bank doesn't take is refused as too large, not as a bank that is away", async () => {
  const body = { pixCopiaECola: "x".repeat(70_000) }
  const reply = await site.call("POST", "/simulador/api/pagamentos", { body })
  expect([reply.status, reply.json.code]).toEqual([413, "payload_too_large"])
})

test("nothing else of the bank is reachable through us", async () => {
  for (const path of ["/simulador/../v2/cob", "/simulador/%2e%2e/v2/cob", "/v2/cob"]) {
    expect((await site.call("GET", path)).text).not.toContain("not for everybody")
  }
})

test("a bank that doesn't answer is 503 in JSON", async () => {
  const alone = await openTestApp({ simulatorUrl: "http://127.0.0.1:9" })
  try {
    const reply = await alone.call("GET", "/simulador/")
    expect(reply.status).toBe(503)
    expect(reply.json).toMatchObject({ status: "error", code: "service_unavailable" })
  } finally {
    await alone.close()
  }
})

test("with a real provider there is no simulator", async () => {
  const real = await openTestApp()
  try {
    expect((await real.call("GET", "/simulador/")).status).toBe(404)
    expect((await real.call("POST", "/simulador/api/pagamentos", { body: {} })).status).toBe(404)
  } finally {
    await real.close()
  }
})
