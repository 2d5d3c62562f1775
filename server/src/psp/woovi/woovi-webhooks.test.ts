import { createHash, createPublicKey } from "node:crypto"
import { afterAll, expect, test } from "vitest"
import { newKeyPair, openWooviBank } from "../../../test-support/woovi-bank.ts"
import { publishedKeys } from "./woovi-webhooks.ts"

const bank = await openWooviBank()

afterAll(() => bank.close())

test.each([
  ["producao", "9dce618794f8986c603915a51b7029126c260e5cfdb2aa47e131d837fd62311c"],
  ["homologacao", "7c8efa31466209cf247d23f6198a61643b8c322a0d80ea6d0a7a54073b2d6e91"],
] as const)("the %s key is the one whose fingerprint Woovi publishes", (environment, fingerprint) => {
  const der = createPublicKey(publishedKeys[environment]).export({ type: "spki", format: "der" })
  expect(createHash("sha256").update(der).digest("hex")).toBe(fingerprint)
})

test("only what Woovi's key signed, to the last byte, is genuine", async () => {
  const webhook = bank.webhook({ event: "OPENPIX:TRANSACTION_RECEIVED", pix: { endToEndId: "E1" } })
  const { body, headers } = webhook
  const signature = String(headers["x-webhook-signature"])
  const stranger = await openWooviBank(newKeyPair())
  await stranger.close()
  expect(bank.psp.isGenuine(webhook)).toBe(true)
  const forgeries = [
    { ...webhook, headers: {} },
    { ...webhook, headers: { "x-webhook-signature": "" } },
    { ...webhook, headers: { "x-webhook-signature": "não é base64" } },
    { ...webhook, headers: { "x-webhook-signature": signature.slice(4) } },
    { ...webhook, headers: { "x-webhook-signature": [signature, signature] } },
    { ...webhook, headers: { "x-openpix-signature": signature } },
    { ...webhook, body: body.subarray(0, -1) },
    { ...webhook, body: Buffer.concat([body, Buffer.from(" ")]) },
    { ...webhook, body: Buffer.from(body.toString().replace("E1", "E2")) },
    stranger.webhook({ event: "OPENPIX:TRANSACTION_RECEIVED", pix: { endToEndId: "E1" } }),
  ]
  for (const forgery of forgeries) expect(bank.psp.isGenuine(forgery)).toBe(false)
})

test.each([
  [{ event: "OPENPIX:TRANSACTION_RECEIVED", charge: null, pix: { endToEndId: "E1" } }, "receipt E1"],
  [{ event: "woovi:CHARGE_COMPLETED", charge: { correlationID: "t1" }, pix: { endToEndId: "E1" } }, "receipt E1"],
  [{ event: "OPENPIX:CHARGE_COMPLETED", charge: { correlationID: "t1" } }, "charge t1"],
  [{ event: "OPENPIX:TRANSACTION_REFUND_RECEIVED", charge: { correlationID: "t1" } }, "charge t1"],
  [{ event: "PIX_TRANSACTION_REFUND_SENT_CONFIRMED", originalTransaction: { endToEndId: "E1" } }, "refunds of E1"],
  [{ event: "PIX_TRANSACTION_REFUND_SENT_REJECTED", originalTransaction: { endToEndId: "E1" } }, "refunds of E1"],
  [{ event: "OPENPIX:MOVEMENT_CONFIRMED", payment: { correlationID: "p1" } }, "payout p1"],
  [{ event: "OPENPIX:MOVEMENT_FAILED", payment: { correlationID: "p1" }, error: {} }, "payout p1"],
  [{ event: "woovi:DISPUTE_CREATED", dispute: { endToEndId: "E1", value: 1 } }, "dispute E1"],
  [{ event: "OPENPIX:DISPUTE_CANCELED", dispute: { endToEndId: "E1" } }, "dispute E1"],
  [{ event: "OPENPIX:CHARGE_COMPLETED", data_criacao: "2024-01-23T20:32:14.429Z" }, "nothing"],
  [{ event: "OPENPIX:CHARGE_EXPIRED", charge: { correlationID: "t1" } }, "nothing"],
  [{ event: "constructor", charge: { correlationID: "t1" } }, "nothing"],
  [{ event: "OPENPIX:CHARGE_COMPLETED", charge: { correlationID: "../../x" } }, "unreadable"],
  [{ event: 7 }, "unreadable"],
  [[{ event: "OPENPIX:CHARGE_COMPLETED" }], "unreadable"],
])("%j reports: %s", (payload, reported) => {
  const events = bank.psp.eventsReportedBy(Buffer.from(JSON.stringify(payload)))
  const words = events?.map((event) => {
    if (event.kind === "receipt") return `${event.reportsRefunds ? "refunds of" : "receipt"} ${event.endToEndId}`
    if (event.kind === "charge") return `charge ${event.txid}`
    if (event.kind === "payout") return `payout ${event.payoutId}`
    return event.kind === "dispute" ? `dispute ${event.disputeId}` : event.kind
  })
  expect(words === undefined ? "unreadable" : words.join(", ") || "nothing").toBe(reported)
})

test("each event is registered once, for our address alone; one that was switched off is made anew", async () => {
  const ours = "https://loja.example/webhooks/woovi/segredo"
  bank.webhooks.push({ event: "OPENPIX:TRANSACTION_RECEIVED", url: "https://outra.example", isActive: true })
  bank.webhooks.push({ event: "OPENPIX:MOVEMENT_FAILED", url: ours, isActive: false })
  await bank.psp.registerWebhook(ours)
  const made = bank.webhooks.filter(({ url, isActive }) => url === ours && isActive === true)
  expect(new Set(made.map(({ event }) => event)).size).toBe(made.length)
  expect(made.map(({ event }) => event)).toContain("OPENPIX:MOVEMENT_FAILED")
  await bank.psp.registerWebhook(ours)
  expect(bank.webhooks).toHaveLength(made.length + 2)
})
