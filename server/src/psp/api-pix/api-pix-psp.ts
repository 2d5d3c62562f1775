import type { Logger } from "pino"
import { centsFromPixValue, pixValueFromCents } from "#kit/money"
import { failureOf } from "#psp/bounded-http"
import {
  type PaymentReceived,
  type Psp,
  type PspCharge,
  type PspChargeRequest,
  PspError,
  type PspRefund,
  type PspWindow,
  type ToldEvent,
} from "#psp/psp"
import { type ApiPixClient, type ApiPixConfig, createApiPixClient } from "./http-client.ts"
import { pageQuery } from "./page-query.ts"
import { findPayout, listPayouts, sendPayout } from "./payouts.ts"
import { findRefund, readRefund, requestRefund } from "./refunds.ts"
import { chargeSchema, pixPageSchema, receiptSchema } from "./schemas.ts"

export interface ApiPixOptions extends ApiPixConfig {
  name: string
  /** The key whose account receives. */
  receiverKey: string
  log: Logger
}

/** Speaks the Central Bank's API Pix 2.9.0. */
export function createApiPixPsp(options: ApiPixOptions): Psp {
  const client = createApiPixClient(options)
  return {
    name: options.name,
    createCharge: (request) => createCharge(client, options, request),
    removeCharge: (txid) => removeCharge(client, txid),
    findReceiptsOfCharge: (txid) => findReceiptsOfCharge(client, options, txid),
    findReceipt: (endToEndId) => findReceipt(client, options, endToEndId),
    listReceipts: (window) => listReceipts(client, options, window),
    listRefundedReceipts: (window) => listReceipts(client, options, window, { devolucaoPresente: "true" }),
    isGenuine: () => true,
    eventsToldBy,
    registerWebhook: (url) => registerWebhook(client, options, url),
    payouts: {
      send: (request) => sendPayout(client, options, request),
      find: (payoutId) => findPayout(client, payoutId),
      list: (window) => listPayouts(client, options.log, window),
    },
    requestRefund: (request) => requestRefund(client, request),
    findRefund: (name) => findRefund(client, name),
    certificateEndsAt: null,
  }
}

async function createCharge(
  client: ApiPixClient,
  { receiverKey }: ApiPixOptions,
  request: PspChargeRequest,
): Promise<PspCharge> {
  const answer = await client.request("PUT", `/cob/${request.txid}`, {
    calendario: { expiracao: request.expiresInSeconds },
    valor: { original: pixValueFromCents(request.amountCents) },
    chave: receiverKey,
    solicitacaoPagador: request.description.slice(0, 140),
  })
  const isCreated = answer.status === 200 || answer.status === 201
  // Some banks refuse a repeated PUT: then the charge itself tells what the first one did.
  const body = isCreated ? answer.body : answer.status < 500 ? await findCharge(client, request.txid) : null
  if (body === null) throw failureOf(answer.status)
  const charge = chargeSchema.safeParse(body)
  if (!charge.success) throw new PspError("unknown", "unreadable charge")
  if (charge.data.txid !== request.txid) throw new PspError("rejected", "the provider answered another txid")
  if (charge.data.status !== "ATIVA") throw new PspError("rejected", `the charge is ${charge.data.status}`)
  if (charge.data.valor.original !== pixValueFromCents(request.amountCents)) {
    throw new PspError("rejected", "the charge exists with another amount")
  }
  if (!charge.data.pixCopiaECola) throw new PspError("rejected", "no Pix code in the answer")
  return { pixCode: charge.data.pixCopiaECola }
}

async function findCharge(client: ApiPixClient, txid: string) {
  const answer = await client.request("GET", `/cob/${txid}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer.status)
  const charge = chargeSchema.safeParse(answer.body)
  if (!charge.success) throw new PspError("unknown", "unreadable charge")
  return charge.data
}

async function removeCharge(client: ApiPixClient, txid: string): Promise<"removed" | "paid" | "absent"> {
  const answer = await client.request("PATCH", `/cob/${txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })
  if (answer.status === 404) return "absent"
  if (answer.status >= 500) throw failureOf(answer.status)
  // Whatever the answer said, the charge itself says whether the payer was faster.
  const charge = await findCharge(client, txid)
  if (charge === null) return "absent"
  if (charge.status === "CONCLUIDA") return "paid"
  if (charge.status.startsWith("REMOVIDA")) return "removed"
  throw new PspError("unknown", `the charge is still ${charge.status}`)
}

async function findReceiptsOfCharge(client: ApiPixClient, options: ApiPixOptions, txid: string) {
  const charge = await findCharge(client, txid)
  return readReceipts(options, charge?.pix ?? [])
}

async function findReceipt(client: ApiPixClient, options: ApiPixOptions, endToEndId: string) {
  const answer = await client.request("GET", `/pix/${encodeURIComponent(endToEndId)}`)
  if (answer.status === 404 || answer.status === 400) return null
  if (answer.status !== 200) throw failureOf(answer.status)
  const receipt = readReceipt(options, answer.body)
  if (receipt === null) throw new PspError("unknown", "unreadable receipt")
  return receipt
}

async function* listReceipts(
  client: ApiPixClient,
  options: ApiPixOptions,
  window: PspWindow,
  filter: Record<string, string> = {},
) {
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = await client.request("GET", `/pix?${pageQuery(window, page, filter)}`)
    if (answer.status !== 200) throw failureOf(answer.status)
    const parsed = pixPageSchema.safeParse(answer.body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of receipts")
    pages = parsed.data.parametros.paginacao.quantidadeDePaginas
    yield readReceipts(options, parsed.data.pix)
  }
}

function readReceipts(options: ApiPixOptions, bodies: unknown[]): PaymentReceived[] {
  return bodies.flatMap((body) => {
    const receipt = readReceipt(options, body)
    if (receipt !== null) return [receipt]
    options.log.error({ alarm: "unreadable_receipt" }, "a receipt of the provider can't be read")
    return []
  })
}

function readReceipt({ name, receiverKey, log }: ApiPixOptions, body: unknown): PaymentReceived | null {
  const parsed = receiptSchema.safeParse(body)
  if (!parsed.success) return null
  const { endToEndId, txid, valor, horario, chave, devolucoes } = parsed.data
  if (chave && chave !== receiverKey) return null
  const amountCents = centsFromPixValue(valor)
  const paidAt = new Date(horario)
  if (amountCents === null || amountCents === 0 || Number.isNaN(paidAt.getTime())) return null
  return { provider: name, endToEndId, txid: txid || null, amountCents, paidAt, refunds: readRefunds(log, devolucoes) }
}

function readRefunds(log: Logger, bodies: unknown[] | null | undefined): PspRefund[] {
  return (bodies ?? []).flatMap((body) => {
    const refund = readRefund(body)
    if (refund !== null) return [refund]
    log.error({ alarm: "unreadable_refund" }, "a refund of the provider can't be read")
    return []
  })
}

/** `{"pix":[…]}` by the standard, a bare array at some banks. */
function eventsToldBy(body: Buffer): ToldEvent[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString("utf8"))
  } catch {
    return null
  }
  const items = Array.isArray(parsed) ? parsed : (parsed as { pix?: unknown } | null)?.pix
  if (!Array.isArray(items)) return null
  return items.flatMap((item: unknown) => {
    const told = (item ?? {}) as { endToEndId?: unknown; devolucoes?: unknown }
    const { endToEndId, devolucoes } = told
    if (typeof endToEndId !== "string" || !/^[0-9A-Za-z]{1,64}$/.test(endToEndId)) return []
    return [
      { kind: "receipt" as const, endToEndId, tellsOfRefunds: Array.isArray(devolucoes) && devolucoes.length > 0 },
    ]
  })
}

async function registerWebhook(client: ApiPixClient, { receiverKey }: ApiPixOptions, url: string): Promise<void> {
  const answer = await client.request("PUT", `/webhook/${encodeURIComponent(receiverKey)}`, { webhookUrl: url })
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer.status)
}
