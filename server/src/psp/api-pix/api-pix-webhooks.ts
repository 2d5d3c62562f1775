import type { Logger } from "pino"
import { isSameSecret } from "#kit/secrets"
import { readBankJson } from "#psp/bank-json"
import { failureOf } from "#psp/bounded-http"
import { type PspWebhook, type ReportedEvent, WebhookTaken } from "#psp/psp"
import { disputesReportedBy } from "./api-pix-disputes.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { webhookViewSchema } from "./api-pix-schemas.ts"
import { readMoment } from "./bank-stamps.ts"
import { checked, webhookRequest } from "./token.ts"

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

/** `{"pix":[…]}`, `{"recs":[…]}` or `{"cobsr":[…]}` by the standard, a bare array at some banks. */
export function eventsReportedBy(body: Buffer): ReportedEvent[] | null {
  const parsed = readBankJson(body.toString("utf8"))
  const disputes = disputesReportedBy(parsed)
  const { pix, recs, cobsr } = (parsed ?? {}) as { pix?: unknown; recs?: unknown; cobsr?: unknown }
  const lists = [parsed, pix, recs, cobsr].filter((list) => Array.isArray(list))
  if (lists.length === 0) return disputes.length === 0 ? null : disputes
  return [...lists.flat().flatMap((item: unknown) => eventOf(item) ?? []), ...disputes]
}

interface Registration {
  /** The path of the webhook at the bank. */
  path: string
  url: string
  headers: Record<string, string>
  /** The operator wants our address to take the place of any other. */
  replacesOthers: boolean
  log: Logger
}

/**
 * The bank appends the standard's suffix (`/pix`, `/rec`, `/cobr`), so the address is registered without it. A key has one
 * webhook, and an account one of each other kind, so another system's is looked for first.
 */
export async function registerWebhook(client: ApiPixClient, registration: Registration): Promise<void> {
  const { path, url, headers, replacesOthers, log } = registration
  const registered = await findWebhook(client, path, log)
  if (registered !== null && !replacesOthers && !isOurs(registered, url)) throw new WebhookTaken(hostOf(registered))
  const body = checked(webhookRequest, { webhookUrl: url })
  const answer = await client.request("PUT", path, body, headers)
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer)
}

/** The address that gets the key's webhooks now; null where there is none, or the bank refuses the question. */
async function findWebhook(client: ApiPixClient, path: string, log: Logger): Promise<string | null> {
  const answer = await client.request("GET", path)
  if (answer.status === 200) {
    const webhook = webhookViewSchema.safeParse(answer.body)
    return webhook.success && webhook.data.webhookUrl !== "" ? webhook.data.webhookUrl : null
  }
  if (answer.status === 404 || answer.status === 204) return null
  const failure = failureOf(answer)
  if (failure.failure !== "rejected" && answer.status !== 403) throw failure
  log.warn({ status: answer.status }, "the bank doesn't say who gets the webhooks; they are registered unseen")
  return null
}

/** Our secret at any host, or another secret at our address: a restored or renewed database has another one. */
function isOurs(registered: string, url: string): boolean {
  const [theirs, own] = [entriesOf(registered), entriesOf(url)]
  const isOurSecret = own.secret.length >= SECRET_LENGTH && theirs.secret === own.secret
  return isOurSecret || theirs.folder === own.folder
}

const SECRET_LENGTH = 16

function entriesOf(url: string): { folder: string; secret: string } {
  const path = url.replace(/\/(?:pix|rec|cobr)\/?$/, "")
  const slash = path.lastIndexOf("/")
  return { folder: path.slice(0, slash).toLowerCase(), secret: path.slice(slash + 1) }
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "lugar nenhum"
}

interface ReportedItem {
  endToEndId?: unknown
  idRec?: unknown
  txid?: unknown
  horario?: unknown
  devolucoes?: unknown
  tipo?: unknown
  status?: unknown
  gnExtras?: { idEnvio?: unknown } | null
}

/** Efí reports payouts in the same list as receipts; `tipo` distinguishes them. */
function eventOf(item: unknown): ReportedEvent | null {
  const { endToEndId, idRec, txid, horario, devolucoes, tipo, status, gnExtras } = (item ?? {}) as ReportedItem
  if (isName(idRec, 64)) {
    if (txid === undefined) return { kind: "recurrence", recurrenceId: idRec }
    return isName(txid, 35) ? { kind: "debit", txid } : null
  }
  const hasReturns = Array.isArray(devolucoes) && devolucoes.length > 0
  if (tipo === "SOLICITACAO") {
    const payoutId = gnExtras?.idEnvio
    const isBack = hasReturns || status === "DEVOLVIDO"
    return isName(payoutId, 35) ? { kind: "payout", payoutId, ...(isBack && { reportsReturn: true }) } : null
  }
  if (!isName(endToEndId, 64)) return null
  const reportedAt = typeof horario === "string" ? readMoment(horario) : null
  return { kind: "receipt", endToEndId, reportsRefunds: hasReturns, reportedAt }
}

function isName(text: unknown, longest: number): text is string {
  return typeof text === "string" && text.length <= longest && /^[0-9A-Za-z]+$/.test(text)
}
