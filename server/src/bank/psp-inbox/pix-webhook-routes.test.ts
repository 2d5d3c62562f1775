import { gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { connectSimulator } from "#psp/connect-psp"
import type { PspWebhook } from "#psp/psp"
import { openTestApp } from "../../../test-support/test-app.ts"
import { unpackBodies } from "./rules.ts"

const heard: PspWebhook[] = []

const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }
const psp = {
  ...connectSimulator(nowhere, createLog("silent")),
  isGenuine(webhook: PspWebhook) {
    heard.push(webhook)
    return webhook.headers["x-signature"] !== "forged" && !webhook.body.includes("tampered")
  },
}
const site = await openTestApp({ psp, trustedProxies: ["10.0.0.5"] })

afterAll(() => site.close())

const inbox = async () => (await site.db.selectFrom("psp_inbox").selectAll().execute()).length
const post = (
  payload: string | Buffer,
  { secret = "segredo", headers = {} }: { secret?: string; headers?: object } = {},
) =>
  site.app.inject({
    method: "POST",
    url: `/webhooks/simulator/${secret}/pix`,
    payload,
    headers: { "content-type": "application/json", ...headers },
  })

test.each([
  ["twenty megabytes", `{"pix":"${"a".repeat(20_000_000)}"}`, 413],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
  ["broken JSON", '{"pix":[', 400],
  ["nothing", "", 400],
  ["a compressed body", gzipSync('{"pix":[]}'), 400],
  ["UTF-16", Buffer.from('{"pix":[]}', "utf16le"), 400],
])("H11: %s is refused and not kept", async (_name, payload, status) => {
  const reply = await post(payload)
  expect([reply.statusCode, await inbox()]).toEqual([status, 0])
  expect(reply.json()).toMatchObject({ status: "fail", message: expect.stringMatching(/\S/) })
})

test.each([
  ["no secret", "x"],
  ["a part of the secret", "segred"],
  ["a longer secret", "segredos"],
])("H02: with %s and headers that claim a certificate it is an address that nobody serves", async (_name, secret) => {
  const headers = {
    "x-ssl-client-verify": "SUCCESS",
    "x-client-cert": "-----BEGIN CERTIFICATE-----",
    "x-forwarded-for": "127.0.0.1",
    authorization: "Bearer segredo",
  }
  const reply = await post('{"pix":[]}', { secret, headers })
  expect([reply.statusCode, reply.json().code, await inbox()]).toEqual([404, "route_not_found", 0])
})

test("without the secret not even the body is read", async () => {
  const reply = await post("a".repeat(2_000_000), { secret: "x" })
  expect([reply.statusCode, await inbox()]).toEqual([404, 0])
})

test("H01: what the provider disowns is refused with 401 and not kept; the provider reads it as it came", async () => {
  const body = '{ "pix": [] }'
  const forged = await post(body, { headers: { "x-signature": "forged" } })
  expect([forged.statusCode, forged.json().code]).toEqual([401, "webhook_not_genuine"])
  expect((await post('{"tampered":1}')).statusCode).toBe(401)
  expect(await inbox()).toBe(0)
  expect(heard[0]).toMatchObject({ headers: { "x-signature": "forged" }, viaTrustedProxy: false })
  expect(heard[0]?.body.toString()).toBe(body)
})

test("H02: the connection decides whether it came through our proxy, not its headers", async () => {
  const reply = (remoteAddress: string) =>
    site.app.inject({
      method: "POST",
      url: "/webhooks/simulator/segredo/pix",
      payload: '{"pix":[]}',
      headers: { "content-type": "application/json", "x-forwarded-for": "10.0.0.5", "x-signature": "forged" },
      remoteAddress,
    })
  await reply("10.0.0.5")
  expect(heard.at(-1)?.viaTrustedProxy).toBe(true)
  await reply("203.0.113.9")
  expect(heard.at(-1)?.viaTrustedProxy).toBe(false)
})

test("a webhook is kept as it came, once it can be read", async () => {
  const deep = `{"pix":${"[".repeat(10_000)}${"]".repeat(10_000)}}`
  expect((await post(deep)).statusCode).toBe(200)
  const kept = await site.db.selectFrom("psp_inbox").select(["body", "lengths"]).executeTakeFirstOrThrow()
  expect(unpackBodies(kept.body, kept.lengths).map(String)).toEqual([deep])
})
