import { expect, test } from "vitest"
import { basic, startTestBank, type TestBank } from "../test-support/test-bank.ts"
import { scopes } from "./tokens.ts"

const grant = { grant_type: "client_credentials" }

async function askToken(bank: TestBank, body: unknown, headers: Record<string, string> = { authorization: basic }) {
  return bank.call("POST", "/oauth/token", body, headers)
}

test("a client gets a bearer token, by form or by JSON", async () => {
  const bank = await startTestBank()
  const form = { authorization: basic, "content-type": "application/x-www-form-urlencoded" }

  for (const answer of [await askToken(bank, grant), await askToken(bank, "grant_type=client_credentials", form)]) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: scopes.join(" "),
    })
  }
})

test.each([
  ["wrong secret", `Basic ${Buffer.from("tilinta:errado").toString("base64")}`],
  ["wrong client", `Basic ${Buffer.from("outro:tilinta-sandbox").toString("base64")}`],
  ["no credentials", ""],
])("%s: no token", async (_name, authorization) => {
  const bank = await startTestBank()
  const { status, body, headers } = await askToken(bank, grant, { authorization })
  expect({ status, body }).toEqual({ status: 401, body: { error: "invalid_client" } })
  expect(headers.get("www-authenticate")).toContain("Basic")
})

test.each([
  [{}, "invalid_request"],
  ["{", "invalid_request"],
  [{ grant_type: "password" }, "unsupported_grant_type"],
  [{ ...grant, scope: "cob.read tudo" }, "invalid_scope"],
])("the token request %j is refused", async (body, error) => {
  const bank = await startTestBank()
  expect(await askToken(bank, body)).toMatchObject({ status: 400, body: { error } })
})

test("without a known token the API answers 401", async () => {
  const bank = await startTestBank()
  for (const headers of [{}, { authorization: "Bearer inventado" }]) {
    const answer = await bank.call("GET", "/v2/webhook", undefined, headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toContain("invalid_token")
    expect(answer.body).toMatchObject({ type: "https://pix.bcb.gov.br/api/v2/error/AcessoNegado", status: 401 })
  }
})

test("a token opens only what its scope names", async () => {
  const bank = await startTestBank()
  const { body } = await askToken(bank, { ...grant, scope: "webhook.read" })
  const authorization = `Bearer ${body.access_token}`

  expect((await bank.call("GET", "/v2/webhook", undefined, { authorization })).status).toBe(200)
  expect((await bank.call("DELETE", "/v2/webhook/x", undefined, { authorization })).status).toBe(403)
})

test("an unknown path of the API is a problem too", async () => {
  const bank = await startTestBank()
  expect(await bank.api("GET", "/lotecobv")).toMatchObject({
    status: 404,
    body: { type: "https://pix.bcb.gov.br/api/v2/error/NaoEncontrado" },
  })
})
