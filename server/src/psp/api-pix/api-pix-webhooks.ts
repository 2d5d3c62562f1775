import { isSameSecret } from "#kit/same-secret"
import { failureOf } from "#psp/bounded-http"
import type { PspWebhook, ReportedEvent } from "#psp/psp"
import { disputesReportedBy } from "./api-pix-disputes.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { readMoment } from "./read-moment.ts"
import { checked, webhookRequest } from "./requests.ts"

/** The header by which our proxy reports a verified client certificate. */
export interface CertificateHeader {
  name: string
  value: string
}

/**
 * Without such a header the secret in the address must suffice, as with banks that send no certificate. With it, only a
 * trusted proxy can vouch: anybody else may send any header.
 */
export function isGenuine(expected: CertificateHeader | null, webhook: PspWebhook): boolean {
  if (expected === null) return true
  const reported = webhook.headers[expected.name]
  return webhook.viaTrustedProxy && typeof reported === "string" && isSameSecret(reported, expected.value)
}

/** `{"pix":[…]}` by the standard, a bare array at some banks. */
export function eventsReportedBy(body: Buffer): ReportedEvent[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString("utf8"))
  } catch {
    return null
  }
  const disputes = disputesReportedBy(parsed)
  const items = Array.isArray(parsed) ? parsed : (parsed as { pix?: unknown } | null)?.pix
  if (!Array.isArray(items)) return disputes.length === 0 ? null : disputes
  return [...items.flatMap((item: unknown) => eventOf(item) ?? []), ...disputes]
}

/** The bank appends the standard's suffix `/pix`, so the address is registered without it. */
export async function registerWebhook(
  client: ApiPixClient,
  { receiverKey, url, headers }: { receiverKey: string; url: string; headers: Record<string, string> },
): Promise<void> {
  const body = checked(webhookRequest, { webhookUrl: url })
  const answer = await client.request("PUT", `/webhook/${encodeURIComponent(receiverKey)}`, body, headers)
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer)
}

interface ReportedItem {
  endToEndId?: unknown
  horario?: unknown
  devolucoes?: unknown
  tipo?: unknown
  gnExtras?: { idEnvio?: unknown } | null
}

/** Efí reports payouts in the same list as receipts; `tipo` distinguishes them. */
function eventOf(item: unknown): ReportedEvent | null {
  const { endToEndId, horario, devolucoes, tipo, gnExtras } = (item ?? {}) as ReportedItem
  if (tipo === "SOLICITACAO") {
    const payoutId = gnExtras?.idEnvio
    return isName(payoutId, 35) ? { kind: "payout", payoutId } : null
  }
  if (!isName(endToEndId, 64)) return null
  const reportedAt = typeof horario === "string" ? readMoment(horario) : null
  return { kind: "receipt", endToEndId, reportsRefunds: Array.isArray(devolucoes) && devolucoes.length > 0, reportedAt }
}

function isName(text: unknown, longest: number): text is string {
  return typeof text === "string" && text.length <= longest && /^[0-9A-Za-z]+$/.test(text)
}
