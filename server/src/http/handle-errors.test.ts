import { type AddressInfo, connect, type Socket } from "node:net"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import pg from "pg"
import { afterAll, describe, expect, test } from "vitest"
import { openTestApp, sellerForm } from "../../test-support/test-app.ts"
import { replyToBrokenConnection } from "./errors.ts"

const site = await openTestApp()
await site.app.listen({ host: "127.0.0.1", port: 0 })
const port = (site.app.server.address() as AddressInfo).port

afterAll(() => site.close())

const signup = "/api/v1/auth/signup"
const onlyOnce = "Host: x\r\nConnection: close\r\n"

describe("what can't be read is 400", () => {
  test.each([
    ["broken JSON", "{"],
    ["no JSON at all", "name=Ana"],
    ["an empty body", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["a number for a text", JSON.stringify({ ...sellerForm, name: 5 })],
    ["an object for a text", JSON.stringify({ ...sellerForm, email: { $ne: "" } })],
    ["a list for an object", JSON.stringify({ ...sellerForm, address: [] })],
    ["a text for an object", JSON.stringify({ ...sellerForm, address: "Rua A" })],
    ["NUL", JSON.stringify({ ...sellerForm, name: "Ana\0" })],
    ["a lone surrogate", JSON.stringify({ ...sellerForm, name: "Ana \ud800" })],
  ])("%s", async (_name, rawBody) => {
    const reply = await site.call("POST", signup, { rawBody })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ status: "fail", code: "malformed_request", message: expect.any(String) })
    expect(reply.text).not.toMatch(/invalid|expected|required|unexpected|FST_|zod/i)
  })

  test.each([
    ["/api/v1/public/settings/%E0%A4%A"],
    ["/api/v1/public/settings/a%00b"],
    ["/api/v1/public/settings/%ED%A0%80"],
    ["/%"],
  ])("the address %s", async (url) => {
    const reply = await site.call("GET", url)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ status: "fail", code: "malformed_request" })
  })

  test("the first of several problems in one field is reported", async () => {
    const reply = await site.call("POST", signup, { body: { ...sellerForm, name: "\0".repeat(200), cpf: "x" } })
    expect(reply.json.errors).toEqual([
      { path: "name", message: "O texto contém caracteres inválidos." },
      { path: "cpf", message: "CPF deve conter 11 dígitos numéricos" },
    ])
  })
})

test("two megabytes are refused with 413", async () => {
  const reply = await site.call("POST", signup, { body: { ...sellerForm, name: "a".repeat(2 * 1024 * 1024) } })
  expect(reply.status).toBe(413)
  expect(reply.json).toMatchObject({ status: "fail", code: "payload_too_large" })
})

test.each(["text/plain", "application/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])(
  "a body of type %s is refused with 415",
  async (type) => {
    const reply = await site.call("POST", signup, { rawBody: "x", headers: { "content-type": type } })
    expect(reply.status).toBe(415)
    expect(reply.json.code).toBe("unsupported_media_type")
  },
)

test("an endpoint that takes no body ignores an empty one of JSON type", async () => {
  const token = await site.signUp("vazio@loja.example")
  expect((await site.call("POST", "/api/v1/auth/logout", { token, rawBody: "" })).status).toBe(200)
})

describe("addresses without a route", () => {
  test.each([
    ["GET", "/api"],
    ["GET", "/api/v1/nada"],
    ["POST", "/api/v2/auth/login"],
    ["DELETE", "/nada"],
    ["GET", "/api/v1/users/me/"],
  ] as const)("%s %s is 404 in JSON", async (method, url) => {
    const reply = await site.call(method, url)
    expect(reply.status).toBe(404)
    expect(reply.json).toEqual({ status: "fail", message: "Endereço não encontrado.", code: "route_not_found" })
  })

  test("broken JSON to an unknown address is about the address", async () => {
    expect((await site.call("POST", "/api/v1/nada", { rawBody: "{" })).status).toBe(404)
  })

  test("a wrong method is 405 and names the right ones", async () => {
    const reply = await site.call("PUT", "/api/v1/checkout/pages/abc")
    expect(reply.status).toBe(405)
    expect(reply.json.code).toBe("method_not_allowed")
    expect(reply.headers.allow).toBe("DELETE, GET, HEAD, OPTIONS, PATCH")
  })

  test("OPTIONS lists the methods and allows no foreign origin", async () => {
    const reply = await site.call("OPTIONS", "/api/v1/auth/login", { headers: { origin: "https://x.example" } })
    expect(reply.status).toBe(204)
    expect(reply.headers.allow).toBe("OPTIONS, POST")
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
  })
})

test("every reply of the API is uncacheable and carries the security headers", async () => {
  for (const url of ["/api/v1/public/settings/PLATFORM_NAME", "/api/v1/users/me", "/api/nada", "/api/%"]) {
    const { headers } = await site.call("GET", url)
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    })
    expect(headers).not.toHaveProperty("x-powered-by")
  }
})

test("our own mistake is 500 without a word about it", async () => {
  const down = await openTestApp()
  try {
    const client = new pg.Client({ connectionString: down.database.url })
    await client.connect()
    await client.query("alter table settings rename to settings_gone")
    await client.end()
    const reply = await down.call("GET", "/api/v1/public/settings/PLATFORM_NAME")
    expect(reply.status).toBe(500)
    expect(reply.json).toEqual({
      status: "error",
      message: "Erro interno. Tente novamente em instantes.",
      code: "internal_error",
    })
  } finally {
    await down.close()
  }
})

test("without a database everything that needs it is 503, and soon worth another try", async () => {
  const down = await openTestApp()
  try {
    await down.database.drop()
    for (const url of ["/api/v1/public/settings/PLATFORM_NAME", "/readyz"]) {
      const reply = await down.call("GET", url)
      expect(reply.status).toBe(503)
      expect(reply.json).toMatchObject({ status: "error", code: "service_unavailable" })
      expect(reply.headers["retry-after"]).toBe("2")
    }
    expect((await down.call("GET", "/healthz")).status).toBe(200)
  } finally {
    await down.close()
  }
})

test.each([
  ["what isn't HTTP at all", "NÃO É HTTP\r\n\r\n"],
  ["a type that comes without a body", `POST ${signup} HTTP/1.1\r\n${onlyOnce}Content-Type: application/json\r\n\r\n`],
])("%s gets a readable 400 and the connection closed", async (_name, sent) => {
  const answer = await exchange(sent)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"code":"malformed_request"')
})

const hidden = "GET /api/v1/public/settings/PLATFORM_NAME HTTP/1.1\r\nHost: x\r\n\r\n"

// A proxy that ends the message elsewhere than we do would take the rest for a request of its own.
test.each([
  ["two lengths", `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
  ["two lengths, the other way round", `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`],
  ["a length that is said twice", `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ["a length that is none", `Content-Length: +0\r\n\r\n${hidden}`],
  ["chunks that aren't the last encoding", `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${hidden}`],
  ["a blank before the colon", `Content-Length : ${hidden.length}\r\n\r\n${hidden}`],
  ["a chunk's length that is none", `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`],
])("%s: the message is refused, its connection ends, and nothing behind it is answered", async (_name, rest) => {
  const answer = await exchange(`POST ${signup} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`)
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 400"])
})

test("TRACE and CONNECT are not served, and no answer repeats what was sent", async () => {
  for (const method of ["TRACE", "CONNECT"]) {
    const answer = await exchange(`${method} /api/v1/users/me HTTP/1.1\r\n${onlyOnce}X-Canary: kanarie\r\n\r\n`)
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/)
    expect(answer).not.toContain("kanarie")
  }
})

/** Sends this, and returns all that comes until the server closes the connection. */
function exchange(sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(sent))
    text(socket).then(resolve, reject)
  })
}

test("slow senders have a limit, and the one for headers is the shorter, without which Node knows none", () => {
  const { headersTimeout, requestTimeout } = site.app.server
  expect(headersTimeout).toBeGreaterThan(0)
  expect(requestTimeout).toBeGreaterThan(headersTimeout)
})

test("a request that arrives too slowly gets a JSON error, and the connection is closed", async () => {
  const socket = new PassThrough()
  replyToBrokenConnection(Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket as unknown as Socket)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toContain("Connection: close")
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({
    status: "fail",
    message: "A requisição demorou demais para chegar.",
    code: "request_timeout",
  })
})
