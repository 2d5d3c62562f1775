import { type KeyObject, verify } from "node:crypto"
import * as z from "zod/mini"
import { readBankJson } from "#psp/bank-json"
import { PspError, type PspWebhook, type ReportedEvent } from "#psp/psp"
import { isSuccess, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { webhookListSchema } from "./woovi-schemas.ts"

/** Events that we subscribe to; Woovi keeps one webhook per event. */
const events = [
  "OPENPIX:TRANSACTION_RECEIVED",
  "OPENPIX:CHARGE_COMPLETED",
  "PIX_TRANSACTION_REFUND_SENT_CONFIRMED",
  "PIX_TRANSACTION_REFUND_SENT_REJECTED",
  "OPENPIX:MOVEMENT_CONFIRMED",
  "OPENPIX:MOVEMENT_FAILED",
  "OPENPIX:DISPUTE_CREATED",
  "OPENPIX:DISPUTE_ACCEPTED",
  "OPENPIX:DISPUTE_REJECTED",
  "OPENPIX:DISPUTE_CANCELED",
] as const

/** `x-webhook-signature` is RSA-SHA256 over the raw body. During a rotation any of the published keys may have signed. */
export function isSignedBy(keys: readonly KeyObject[], { body, headers }: PspWebhook): boolean {
  const signature = headers["x-webhook-signature"]
  if (typeof signature !== "string" || signature === "") return false
  const bytes = Buffer.from(signature, "base64")
  return keys.some((key) => verify("sha256", body, key, bytes))
}

const id = z.nullish(z.string().check(z.regex(/^[\w.:-]{1,64}$/)))

const reportedSchema = z.object({
  event: z.string(),
  pix: z.nullish(z.object({ endToEndId: id })),
  charge: z.nullish(z.object({ correlationID: id })),
  originalTransaction: z.nullish(z.object({ endToEndId: id })),
  payment: z.nullish(z.object({ correlationID: id })),
  dispute: z.nullish(z.object({ endToEndId: id })),
})

type Reported = z.output<typeof reportedSchema>

/** Readers by event name without its brand prefix, of which Woovi has two. Unlisted events are ignored. */
const readers: Record<string, (reported: Reported) => ReportedEvent[]> = {
  TRANSACTION_RECEIVED: paymentReportedBy,
  CHARGE_COMPLETED: paymentReportedBy,
  CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER: paymentReportedBy,
  TRANSACTION_REFUND_RECEIVED: ({ charge }) => chargeReportedBy(charge?.correlationID),
  PIX_TRANSACTION_REFUND_SENT_CONFIRMED: refundReportedBy,
  PIX_TRANSACTION_REFUND_SENT_REJECTED: refundReportedBy,
  MOVEMENT_CONFIRMED: payoutReportedBy,
  MOVEMENT_FAILED: payoutReportedBy,
  DISPUTE_CREATED: disputeReportedBy,
  DISPUTE_ACCEPTED: disputeReportedBy,
  DISPUTE_REJECTED: disputeReportedBy,
  DISPUTE_CANCELED: disputeReportedBy,
}

/** The test that Woovi sends when a webhook is created names an event without data. */
export function eventsReportedBy(body: Buffer): ReportedEvent[] | null {
  const parsed = reportedSchema.safeParse(readBankJson(body.toString("utf8")))
  if (!parsed.success) return null
  const name = parsed.data.event.replace(/^(?:openpix|woovi):/i, "")
  return Object.hasOwn(readers, name) ? (readers[name]?.(parsed.data) ?? []) : []
}

function paymentReportedBy({ pix, charge }: Reported): ReportedEvent[] {
  if (!pix?.endToEndId) return chargeReportedBy(charge?.correlationID)
  return [{ kind: "receipt", endToEndId: pix.endToEndId, reportsRefunds: false, reportedAt: null }]
}

function chargeReportedBy(txid: string | null | undefined): ReportedEvent[] {
  return txid ? [{ kind: "charge", txid }] : []
}

function refundReportedBy({ originalTransaction }: Reported): ReportedEvent[] {
  const endToEndId = originalTransaction?.endToEndId
  return endToEndId ? [{ kind: "receipt", endToEndId, reportsRefunds: true, reportedAt: null }] : []
}

function payoutReportedBy({ payment }: Reported): ReportedEvent[] {
  return payment?.correlationID ? [{ kind: "payout", payoutId: payment.correlationID }] : []
}

function disputeReportedBy({ dispute }: Reported): ReportedEvent[] {
  return dispute?.endToEndId ? [{ kind: "dispute", disputeId: dispute.endToEndId }] : []
}

/** Creates missing webhooks and leaves all others alone, because the account may serve other systems too. */
export async function registerWebhooks(client: WooviClient, url: string): Promise<void> {
  const listed = await client.request("GET", `/webhook?${new URLSearchParams({ url }).toString()}`)
  if (!isSuccess(listed)) throw wooviFailureOf(listed)
  const parsed = webhookListSchema.safeParse(listed.body)
  if (!parsed.success) throw new PspError("unknown", "unreadable list of webhooks")
  const present = parsed.data.webhooks.filter((each) => each.url === url && each.isActive !== false)
  for (const event of events) {
    if (present.some((each) => each.event === event)) continue
    const webhook = { name: `Tilinta ${event}`, event, url, isActive: true }
    const answer = await client.request("POST", "/webhook", { webhook })
    if (!isSuccess(answer)) throw wooviFailureOf(answer)
  }
}

/**
 * Woovi's published public keys for webhook signatures (developers.woovi.com, "Segurança": webhook-public-keys and
 * webhook-sandbox-public-key).
 */
export const publishedKeys = {
  producao: `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC/+NtIkjzevvqD+I3MMv3bLXDt
pvxBjY4BsRrSdca3rtAwMcRYYvxSnd7jagVLpctMiOxQO8ieUCKLSWHpsMAjO/zZ
WMKbqoG8MNpi/u3fp6zz0mcHCOSqYsPUUG19buW8bis5ZZ2IZgBObWSpTvJ0cnj6
HKBAA82Jln+lGwS1MwIDAQAB
-----END PUBLIC KEY-----
`,
  homologacao: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoZwBaFwmstKqy9VAqqxi
SbCWgJR3dd5CTtDi6Fwthtd2owFkZIMqTqKg3Bq5ExjuOxE+v/1gIWFqR9jNjbtY
umwPq+wXQhvx9TrQgrrFMVZ6tMPcwzj8Nknw182N/HMIQsV6B+8JWWzf/cN4ZZVS
sRZfQvoVgFM7PSvSvc/h6v0X2Lkzjypvw7ZRkfxoc+z7B0p3vdQmLSKxPRpLzdLL
VlJ+CJA2aATKVQR5feiuWHKdOlvCT7IRhal0hxUAjc7rxho5eHgaxWO5rITke8wS
IjYIpuw38vMobYSxXb6iuj5Zrjpe2GV8vwuGud8H2dngYhkqbGuY5f4j1kfcN7gC
8QIDAQAB
-----END PUBLIC KEY-----
`,
} as const
