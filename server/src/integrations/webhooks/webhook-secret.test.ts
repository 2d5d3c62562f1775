import { Webhook } from "standardwebhooks"
import { expect, test } from "vitest"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { headersOf } from "./deliver.ts"
import { newWebhookSecret, sealWebhookSecret, signatureOf, signingSecrets, webhookSecretOpener } from "./secrets.ts"

const [secret, former] = [newWebhookSecret(), newWebhookSecret()]
const body = JSON.stringify({ id: "evt_1", type: "page.created", sequence: 1, data: { título: "Ação" } })

function sign(secrets: readonly string[], attemptedAt = new Date()): Record<string, string> {
  const timestampSeconds = Math.floor(attemptedAt.getTime() / 1000)
  const signature = signatureOf(secrets, { messageId: "evt_1", timestampSeconds, body })
  return headersOf("evt_1", { attemptedAt, signature })
}

const verify = (headers: Record<string, string>, sent = body, by = secret) => new Webhook(by).verify(sent, headers)

test("the library of Standard Webhooks verifies a signature, and either one after a rotation", () => {
  expect(verify(sign([secret]))).toMatchObject({ id: "evt_1" })
  expect(verify(sign([secret, former]), body, former)).toMatchObject({ id: "evt_1" })
  expect(verify(sign([secret, former]))).toMatchObject({ id: "evt_1" })
})

test("it refuses what was forged, of another body, id or secret, or too old", () => {
  const genuine = sign([secret])
  const forgeries: Parameters<typeof verify>[] = [
    [genuine, body.replace("page", "page ")],
    [{ ...genuine, "webhook-id": "evt_2" }],
    [{ ...genuine, "webhook-timestamp": "1700000000" }],
    [{ ...genuine, "webhook-signature": `v1,${Buffer.from(secret).toString("base64")}` }],
    [sign([secret], new Date(Date.now() - 600_000))],
    [sign([former])],
  ]
  for (const forgery of forgeries) expect(() => verify(...forgery)).toThrow(/signature|timestamp/i)
})

test("the former secret signs next to the new one until its day is over, and then no more", () => {
  const now = new Date()
  const [present, ended] = [secret, former].map((each) => sealWebhookSecret(secretKeys, "ponto", each))
  if (present === undefined || ended === undefined) throw new Error("two secrets were sealed")
  const sealed = { endpointId: "ponto", ...present, formerKeyId: ended.keyId, formerBox: ended.box }
  const signing = (formerSecretUntil: Date) =>
    signingSecrets(webhookSecretOpener(secretKeys), { ...sealed, formerSecretUntil }, now)
  expect(signing(new Date(now.getTime() + 1))).toEqual([secret, former])
  expect(signing(now)).toEqual([secret])
})
