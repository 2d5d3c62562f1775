import { createHmac, randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { challengeOf, verifyWebhook, WebhookForgedError } from "./verify-webhook.ts"

const body = JSON.stringify({ id: "evt", type: "charge.paid", data: { nome: "João" } })
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`
const secret = newSecret()
const now = () => Math.floor(Date.now() / 1000)

/** As the Standard Webhooks specification says, by Node's crypto instead of WebCrypto. */
function headersOf({ text = body, secrets = [secret], sentAt = now(), id = "msg_1" } = {}): Record<string, string> {
  const signatures = secrets.map((each) => {
    const key = Buffer.from(each.replace("whsec_", ""), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${sentAt}.${text}`).digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": String(sentAt), "webhook-signature": signatures.join(" ") }
}

test("a signed webhook is read, from text or bytes, by plain headers or Headers", async () => {
  const event = { id: "evt", type: "charge.paid", data: { nome: "João" } }
  expect(await verifyWebhook(body, headersOf(), secret)).toEqual(event)
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headersOf()), secret)).toEqual(event)
})

test("the example of the specification fits", async () => {
  const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  const text = '{"test": 2432232314}'
  const sentAt = now()
  const headers = headersOf({ text, secrets: [key], sentAt, id: "msg_p5jXN8AQM9LWM0D4loKWxJek" })
  expect(await verifyWebhook(text, headers, key)).toEqual({ test: 2432232314 })
})

test("while the secret is being changed, either side may have two", async () => {
  const later = newSecret()
  expect(await verifyWebhook(body, headersOf({ secrets: [later, secret] }), secret)).toMatchObject({ id: "evt" })
  expect(await verifyWebhook(body, headersOf({ secrets: [secret] }), [later, secret])).toMatchObject({ id: "evt" })
})

const forgeries: [string, () => { text?: string; headers: Record<string, string> }][] = [
  ["another body", () => ({ text: body.replace("paid", "lost"), headers: headersOf() })],
  ["another secret", () => ({ headers: headersOf({ secrets: [newSecret()] }) })],
  ["another id", () => ({ headers: { ...headersOf(), "webhook-id": "msg_2" } })],
  ["another time", () => ({ headers: { ...headersOf(), "webhook-timestamp": String(now() - 1) } })],
  ["a replay six minutes later", () => ({ headers: headersOf({ sentAt: now() - 6 * 60 }) })],
  ["a time in the future", () => ({ headers: headersOf({ sentAt: now() + 6 * 60 }) })],
  ["a time that is none", () => ({ headers: { ...headersOf(), "webhook-timestamp": "soon" } })],
  ["no signature", () => ({ headers: { ...headersOf(), "webhook-signature": "" } })],
  ["an unknown version", () => ({ headers: { ...headersOf(), "webhook-signature": "v0,AAAA" } })],
  ["a signature that is no base64", () => ({ headers: { ...headersOf(), "webhook-signature": "v1,%%%" } })],
  ["an empty signature", () => ({ headers: { ...headersOf(), "webhook-signature": "v1," } })],
  [
    "a signature cut short",
    () => ({ headers: { ...headersOf(), "webhook-signature": headersOf()["webhook-signature"]?.slice(0, 20) ?? "" } }),
  ],
]

test.each(forgeries)("%s is refused", async (_name, forge) => {
  const { text = body, headers } = forge()
  await expect(verifyWebhook(text, headers, secret)).rejects.toThrow(WebhookForgedError)
})

test("a secret that is none is the caller's mistake, not a forgery", async () => {
  await expect(verifyWebhook(body, headersOf(), "")).rejects.toThrow(TypeError)
})

test("a challenge is answered with its word, and no event is taken for one", () => {
  const data = { challenge: "oCk3" }
  expect(challengeOf({ type: "webhook.challenge", data })).toBe("oCk3")
  expect(challengeOf({ type: "charge.paid", data })).toBeNull()
  expect(challengeOf({ type: "webhook.challenge", data: {} })).toBeNull()
})
