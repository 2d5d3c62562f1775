import type { IncomingHttpHeaders } from "node:http"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { connectByName } from "#psp/connect-psp"
import { readEnv } from "#start/env"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { makeIdentity, openFolder } from "../../../test-support/tls-files.ts"
import { scopesOf } from "./profile.ts"
import { bankProfiles } from "./profiles.ts"

const folder = await openFolder()
const shop = makeIdentity({ name: "loja" })
const certFile = await folder.write("loja.pem", shop.cert + shop.key)

afterAll(() => folder.remove())

const txid = "a".repeat(32)
const basic = `Basic ${Buffer.from("id:secret").toString("base64")}`
const form = "application/x-www-form-urlencoded"
const grant = "grant_type=client_credentials"
const scopes = "cob.read+cob.write+pix.read+pix.write+webhook.read+webhook.write"
const inBody = "client_id=id&client_secret=secret"

/** A well-behaved bank, and the requests it got. */
async function usedBank(variables: Record<string, string>) {
  const requests: { what: string; headers: IncomingHttpHeaders; body: string }[] = []
  const bank = await bankThat((request, response, body) => {
    requests.push({ what: `${request.method} ${request.url}`, headers: request.headers, body })
    const status = request.method === "PATCH" || requests.length > 2 ? "REMOVIDA_PELO_PSP" : "ATIVA"
    reply(response, 200, { txid, status, valor: { original: 1 }, brcode: "000201", pix: [] })
  })
  const env = readEnv({
    PUBLIC_URL: "https://loja.example",
    PIX_CLIENT_ID: "id",
    PIX_CLIENT_SECRET: "secret",
    PIX_KEY: "loja@ana.example",
    PIX_RECEIVER_NAME: "Loja da Ana",
    PIX_APP_KEY: "app",
    PIX_CERT_FILE: certFile,
    PIX_BASE_URL: `${bank.url}/api/v1`,
    PIX_TOKEN_URL: `${bank.url}/token`,
    ...variables,
  })
  const psp = connectByName[env.pixProvider]?.(env.pix, createLog("silent"))
  if (psp === undefined) throw new Error("no such provider")
  await psp.createCharge({ txid, amountCents: 100 as Cents, expiresInSeconds: 60, description: "" })
  await psp.removeCharge(txid)
  await psp.registerWebhook("https://loja.example/webhooks/x/segredo")
  return { psp, requests: requests, tokens: bank.tokenRequests }
}

const ways = [
  ["efi", { authorization: basic, type: "application/json", body: '{"grant_type":"client_credentials"}' }, {}],
  ["inter", { type: form, body: `${grant}&${inBody}&scope=${scopes}` }, {}],
  ["sicoob", { type: form, body: `${grant}&${inBody}&scope=${scopes}` }, { client_id: "id" }],
  ["sicredi", { authorization: basic, type: form, body: `${grant}&scope=${scopes}` }, {}],
  [
    "itau",
    { type: form, body: `${grant}&${inBody}` },
    { "x-itau-apikey": "app", "x-itau-correlationid": expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ],
  ["bb", { authorization: basic, type: form, body: `${grant}&scope=${scopes}` }, {}],
  ["santander", { url: `/token?${grant}`, type: form, body: inBody }, {}],
  ["bradesco", { authorization: basic, type: form, body: grant }, {}],
] as const

test.for(ways)("%s gives a token and takes calls in its own way", async ([name, token, headers]) => {
  const { psp, requests, tokens } = await usedBank({ PIX_PROVIDER: name })
  const [first] = tokens
  expect(first?.url).toBe("url" in token ? token.url : "/token")
  expect(first?.headers["content-type"]).toBe(token.type)
  expect(first?.headers.authorization).toBe("authorization" in token ? token.authorization : undefined)
  expect(first?.body).toBe(token.body)
  const charges = name === "sicredi" ? "v3" : "v1"
  const query = name === "bb" ? "?gw-dev-app-key=app" : ""
  expect(requests.map(({ what }) => what)).toEqual([
    `PUT /api/${charges}/cob/${txid}${query}`,
    `PATCH /api/${charges}/cob/${txid}${query}`,
    `GET /api/${charges}/cob/${txid}${query}`,
    `GET /api/v1/webhook/loja%40ana.example${query}`,
    `PUT /api/v1/webhook/loja%40ana.example${query}`,
  ])
  for (const call of requests) expect(call.headers).toMatchObject({ authorization: "Bearer token-1", ...headers })
  expect(psp.name).toBe(name)
  expect(psp.payouts === null).toBe(name !== "efi")
})

test("Sicoob knows us by the certificate: a secret is neither needed nor sent", async () => {
  const { tokens } = await usedBank({ PIX_PROVIDER: "sicoob", PIX_CLIENT_SECRET: "" })
  expect(tokens[0]?.body).toBe(`${grant}&client_id=id&scope=${scopes}`)
})

test("Sicoob's sandbox takes the portal's token, and its money is kept apart", async () => {
  const variables = { PIX_PROVIDER: "sicoob", PIX_ENVIRONMENT: "homologacao", PIX_CLIENT_SECRET: "do-portal" }
  const { psp, requests, tokens } = await usedBank(variables)
  expect(tokens).toEqual([])
  expect(requests[0]?.headers.authorization).toBe("Bearer do-portal")
  expect(psp.name).toBe("sicoob-homologacao")
})

test("Itaú's addresses are those of the product that replaced pix_recebimentos", () => {
  expect(bankProfiles.itau?.environments).toMatchObject({
    producao: {
      base: "https://pix-pj.api.itau.com/regulatorio-pix/v2",
      token: "https://sts.itau.com.br/as/token.oauth2",
    },
    homologacao: {
      base: "https://sandbox.devportal.itau.com.br/itau-ep9-api-regulatorio-pix-v2-externo/v2",
      token: "https://sandbox.devportal.itau.com.br/api/oauth/jwt",
    },
  })
})

test("Inter is told the account only where the application has several", async () => {
  const several = await usedBank({ PIX_PROVIDER: "inter", PIX_ACCOUNT: "123456789" })
  for (const { headers } of several.requests) expect(headers["x-conta-corrente"]).toBe("123456789")
  const one = await usedBank({ PIX_PROVIDER: "inter" })
  for (const { headers } of one.requests) expect(headers).not.toHaveProperty("x-conta-corrente")
})

test.for([
  ["", "true"],
  ["x-client-verify:SUCCESS", "false"],
] as const)("Efí is told whether anybody before us verifies its certificate (%s)", async ([header, skips]) => {
  const { requests } = await usedBank({ PIX_PROVIDER: "efi", PIX_WEBHOOK_CERT_HEADER: header })
  expect(requests.at(-1)?.headers["x-skip-mtls-checking"]).toBe(skips)
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({ webhookUrl: "https://loja.example/webhooks/x/segredo" })
})

test("Efí sends money at the API's next version", async () => {
  const calls: string[] = []
  const bank = await bankThat(({ method, url }, response) => {
    calls.push(`${method} ${url}`)
    reply(response, method === "PUT" ? 201 : 200, { idEnvio: "saque1", status: "EM_PROCESSAMENTO", valor: "12.34" })
  })
  const efi = connectByName.efi?.(
    readEnv({
      PIX_CLIENT_ID: "id",
      PIX_CLIENT_SECRET: "secret",
      PIX_KEY: "loja@ana.example",
      PIX_RECEIVER_NAME: "Loja da Ana",
      PIX_CERT_FILE: certFile,
      PIX_BASE_URL: `${bank.url}/v2`,
      PIX_TOKEN_URL: `${bank.url}/token`,
    }).pix,
    createLog("silent"),
  )
  const pixKey = { kind: "email", key: "ana@loja.example" } as const
  await efi?.payouts?.send({ payoutId: "saque1", pixKey, amountCents: 1_234 as Cents, description: "Saque" })
  await efi?.payouts?.find("saque1")
  expect(calls).toEqual(["PUT /v3/gn/pix/saque1", "GET /v2/gn/pix/enviados/id-envio/saque1"])
})

const missing = [
  ["efi", "PIX_CLIENT_ID"],
  ["inter", "PIX_CLIENT_SECRET"],
  ["itau", "PIX_KEY"],
  ["santander", "PIX_RECEIVER_NAME"],
  ["bb", "PIX_APP_KEY"],
  ["itau", "PIX_APP_KEY"],
  ["bradesco", "PIX_CERT_FILE"],
] as const

test.for(missing)("%s can't be used without %s", async ([name, variable]) => {
  const start = usedBank({ PIX_PROVIDER: name, [variable]: "" })
  await expect(start).rejects.toThrow(`Variável de ambiente ${variable} ausente: PIX_PROVIDER=${name} precisa dela.`)
})

test.for([
  [{ PIX_PROVIDER: "efi", PIX_BASE_URL: "https://pix-h.api.efipay.com.br/v2" }, "PIX_BASE_URL", "homologacao"],
  [{ PIX_PROVIDER: "bb", PIX_TOKEN_URL: "https://oauth.hm.bb.com.br/x" }, "PIX_TOKEN_URL", "homologacao"],
  [
    {
      PIX_PROVIDER: "inter",
      PIX_ENVIRONMENT: "homologacao",
      PIX_BASE_URL: "https://cdpj.partners.bancointer.com.br/pix/v2",
    },
    "PIX_BASE_URL",
    "producao",
  ],
] as const)("an address of the other environment ends the start: %j", async ([variables, variable, other]) => {
  const line = `Variável de ambiente ${variable} inválida: é um endereço de PIX_ENVIRONMENT=${other}.`
  await expect(usedBank(variables)).rejects.toThrow(line)
})

test("with real money PUBLIC_URL must be https", async () => {
  await expect(usedBank({ PIX_PROVIDER: "efi", PUBLIC_URL: "" })).rejects.toThrow("PUBLIC_URL ausente")
  await expect(usedBank({ PIX_PROVIDER: "efi", PUBLIC_URL: "http://loja.example" })).rejects.toThrow(
    "PUBLIC_URL inválida",
  )
})

test("scopes are those of the parts that a bank's profile switches on", () => {
  const { efi, inter } = bankProfiles
  if (efi === undefined || inter === undefined) throw new Error("no such profile")
  expect(scopesOf({ ...inter, dueCharges: false })).toEqual(scopes.split("+"))
  expect(scopesOf(inter)).toEqual(expect.arrayContaining(["cobv.read", "cobv.write"]))
  expect(scopesOf(efi)).toEqual(expect.arrayContaining(["pix.send", "gn.infractions.read"]))
  expect(scopesOf({ ...efi, payouts: null })).not.toContain("pix.send")
  expect(scopesOf(efi)).toEqual(expect.arrayContaining(["rec.write", "cobr.write", "webhookrec.write"]))
  expect(scopesOf({ ...efi, automatic: false, payouts: null, disputes: null })).toEqual(scopesOf(inter))
})

test.each([
  ["cob.read cob.write", ["pix.read", "pix.write", "webhook.read", "webhook.write"]],
  [["COB.READ", "cob.write", "pix.read", "pix.write", "webhook.read"], ["webhook.write"]],
  [scopes.replaceAll("+", ", "), null],
  [undefined, null],
])("a token with the scopes %j: the log names what is missing", async (granted, missing) => {
  const lines: { missing?: string[] }[] = []
  const log = createLog("warn", {
    write: (line: string) => void lines.push(JSON.parse(line) as { missing?: string[] }),
  })
  const { psp } = await bankThat((_request, response) => reply(response, 404, {}), {
    log,
    profile: { ...bankProfile("inter"), dueCharges: false },
    ...(granted !== undefined && { grantedScopes: granted as string }),
  })
  expect(await psp.findReceipt("E1")).toBeNull()
  expect(lines.flatMap((line) => line.missing ?? [])).toEqual(missing ?? [])
})

function bankProfile(name: string) {
  const profile = bankProfiles[name]
  if (profile === undefined) throw new Error("no such profile")
  return profile
}
