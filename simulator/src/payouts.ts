import { decodeBrCode } from "@tilinta/brcode/decode"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor, never } from "./books.ts"
import { refuseRepeated } from "./occasions.ts"
import { PaymentRefused } from "./payments.ts"
import type { Payout, PayoutReturn } from "./payout-books.ts"
import { listParameters, Problem, pageOf, parseRequest, payoutListQuery } from "./problem.ts"
import { madeInApp, newEndToEndId, newReturnId, toPayout } from "./views.ts"
import { oweNotice } from "./webhooks.ts"

const invalidPayout = "O envio não respeita o _schema_ ou não faz sentido semanticamente."
/** A key that contains 'devolvid' belongs to somebody who sends everything back. */
const returnPauseMs = 5_000
const note = z.string().min(1).max(140)

const sendParams = z.object({ idEnvio: z.string().regex(/^[a-zA-Z0-9]{1,35}$/) })
const sendRequest = z.object({
  valor: z.string().refine((valor) => (centsFromValor(valor) ?? 0) > 0, "O campo valor não é um valor positivo."),
  pagador: z.object({ chave: z.string(), infoPagador: note.optional() }),
  favorecido: z.object({ chave: z.string().min(1).max(77) }),
})

type SendRequest = z.infer<typeof sendRequest>

const operation = { problem: "EnvioOperacaoInvalida", detail: invalidPayout, prefix: "envio" } as const
const consultation = {
  problem: "EnvioConsultaInvalida",
  detail: "Os parâmetros de consulta à lista de Pix enviados não fazem sentido.",
} as const

/** Pix out. The standard has none: the calls follow Efí. */
export function payoutRoutes(app: FastifyInstance, bank: Bank): void {
  app.put("/gn/pix/:idEnvio", { config: { scope: "pix.send" } }, async (request, reply) => {
    const { idEnvio } = parseRequest(request.params, { schema: sendParams, ...operation })
    const body = parseRequest(request.body, { schema: sendRequest, ...operation })
    return reply.code(201).send(toPayout(await sendPayout(bank, idEnvio, body), bank.clock.now()))
  })

  app.get("/gn/pix/enviados/id-envio/:idEnvio", { config: { scope: "gn.pix.send.read" } }, async (request) => {
    const { idEnvio } = parseRequest(request.params, { schema: sendParams, ...operation })
    const payout = bank.payouts.find(idEnvio)
    if (payout === undefined) throw new Problem("EnvioNaoEncontrado", 404, "Envio não encontrado para o id informado.")
    return toPayout(payout, bank.clock.now())
  })

  app.get("/gn/pix/enviados", { config: { scope: "gn.pix.send.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: payoutListQuery, ...consultation })
    const window = { from: query.inicio, to: query.fim }
    const now = bank.clock.now()
    const pix = bank.payouts.page(window, pageOf(query)).map((payout) => toPayout(payout, now))
    return { parametros: listParameters(query, bank.payouts.count(window)), pix }
  })
}

/**
 * Idempotent: clients repeat it after a timeout, and an equal request is answered with the same payout; a different one
 * under the same id is refused.
 */
async function sendPayout(bank: Bank, sendId: string, request: SendRequest): Promise<Payout> {
  if (request.pagador.chave !== bank.account.receiverKey) {
    throw new Problem("EnvioOperacaoInvalida", 400, "A chave do pagador não pertence à conta.")
  }
  const requested = JSON.stringify(request)
  const payout = await bank.books.write(() => {
    const existing = bank.payouts.find(sendId)
    if (existing === undefined) return recordPayout(bank, sendId, request, requested)
    if (existing.requested === requested) {
      refuseRepeated(bank, "EnvioOperacaoInvalida", { ...occasionOf(existing), operation: "envio" })
      return existing
    }
    throw new Problem("EnvioOperacaoInvalida", 409, "O idEnvio encontra-se em uso por um envio com outros dados.")
  })
  bank.delivery.wake()
  return payout
}

function occasionOf({ sendId, payeeKey }: Pick<Payout, "sendId" | "payeeKey">) {
  return { names: new Set([sendId, payeeKey]) }
}

function recordPayout(bank: Bank, sendId: string, request: SendRequest, requested: string): Payout {
  const requestedAt = bank.clock.now()
  const { liquidacaoMs } = bank.faults.current()
  const payeeKey = request.favorecido.chave
  const occasion = occasionOf({ sendId, payeeKey })
  if (bank.faultRules.strike("envio-recusado-na-hora", occasion) !== undefined) {
    throw new Problem("EnvioOperacaoInvalida", 400, payoutRefusal)
  }
  const isStuck = bank.faultRules.strike("envio-sem-desfecho", occasion) !== undefined
  const isRefused = bank.faultRules.strike("envio-recusado", occasion) !== undefined
  const payout = bank.payouts.insert({
    sendId,
    endToEndId: newEndToEndId(requestedAt),
    amountCents: centsFromValor(request.valor) ?? 0,
    payeeKey,
    payerNote: request.pagador.infoPagador ?? null,
    requestedAt,
    settlesAt: isStuck ? never : requestedAt + liquidacaoMs,
    refusal: isRefused || isUnknownKey(bank, payeeKey) ? payoutRefusal : null,
    requested,
  })
  if (isStuck) return payout
  notifyPayout(bank, payout)
  const pauseMs = bank.faultRules.strike("envio-devolvido", occasion)
  const comesBack = payout.refusal === null && (pauseMs !== undefined || payeeKey.toLowerCase().includes("devolvid"))
  const order = { amountCents: payout.amountCents, returnsAt: payout.settlesAt + (pauseMs ?? returnPauseMs) }
  return comesBack ? returnPayout(bank, payout, order) : payout
}

/** This bank has no directory behind it: a key that contains 'recusad' counts as not found. */
function isUnknownKey(bank: Bank, payeeKey: string): boolean {
  return bank.faults.current().pagamentosRecusados || payeeKey.toLowerCase().includes("recusad")
}

/** A static code of somebody else, with an amount and an identifier: what the account's holder pays in the bank's app. */
export function transferOf({ account }: Bank, pixCode: string) {
  const decoded = decodeBrCode(pixCode.trim())
  if (!decoded.valid) return undefined
  const { key, amountCents, txid, merchantName } = decoded.code
  if (key === undefined || key === account.receiverKey || amountCents === undefined) return undefined
  return txid === undefined || txid === "***" ? undefined : { key, amountCents, txid, merchantName }
}

/** As in any bank, the same code pays again. No call of the API can name such a payout. */
export async function payFromAccount(
  bank: Bank,
  { key, amountCents, txid }: NonNullable<ReturnType<typeof transferOf>>,
): Promise<Payout> {
  if (isUnknownKey(bank, key)) throw new PaymentRefused(payoutRefusal)
  return bank.books.write(() => {
    const now = bank.clock.now()
    const endToEndId = newEndToEndId(now)
    const sent = { payeeKey: key, amountCents, payerNote: txid, requestedAt: now, settlesAt: now, refusal: null }
    return bank.payouts.insert({ sendId: `${madeInApp}${endToEndId}`, endToEndId, ...sent, requested: "" })
  })
}

export const payoutRefusal = "Chave Pix não encontrada ou recusada pelo banco de destino."

/** Banks that report payouts send them among the received payments, as Efí does. */
export function notifyPayout(bank: Bank, payout: Payout): void {
  const occasion = { names: new Set([payout.sendId, payout.payeeKey]) }
  if (bank.faultRules.strike("webhook-de-envio", occasion) === undefined) return
  const { idEnvio, endToEndId, valor, status, horario, gnExtras } = toPayout(payout, payout.settlesAt)
  const pix = {
    endToEndId,
    chave: bank.account.receiverKey,
    tipo: "SOLICITACAO",
    status,
    valor,
    horario,
    gnExtras: { idEnvio, ...gnExtras },
  }
  oweNotice(bank, pix, { occasion, now: bank.clock.now(), dueAt: payout.settlesAt })
}

/** The receiver sends the money back, whole or in part. Call it within a write, once a payout. */
function returnPayout(bank: Bank, payout: Payout, { amountCents, returnsAt }: ReturnOrder): Payout {
  const { sendId, payeeKey } = payout
  const returned = { sendId, returnId: newReturnId(returnsAt), amountCents, returnsAt } satisfies PayoutReturn
  bank.payouts.giveBack(returned)
  const changed = { ...payout, ...returned, returnedCents: amountCents }
  const { idEnvio, endToEndId, valor, status, horario, devolucoes } = toPayout(changed, returnsAt)
  const gnExtras = { idEnvio }
  const pix = {
    endToEndId,
    chave: bank.account.receiverKey,
    tipo: "SOLICITACAO",
    status,
    valor,
    horario,
    devolucoes,
    gnExtras,
  }
  oweNotice(bank, pix, { occasion: { names: new Set([sendId, payeeKey]) }, now: bank.clock.now(), dueAt: returnsAt })
  return changed
}

type ReturnOrder = Pick<PayoutReturn, "amountCents" | "returnsAt">

/** Undefined when the payout was never paid, is back already, or was smaller than that. */
export async function returnPaidPayout(bank: Bank, sendId: string, centavos?: number): Promise<Payout | undefined> {
  const returned = await bank.books.write(() => {
    const now = bank.clock.now()
    const payout = bank.payouts.find(sendId)
    if (payout === undefined || payout.settlesAt > now || payout.refusal !== null || payout.returnsAt !== null) return
    const amountCents = centavos ?? payout.amountCents
    return amountCents > payout.amountCents ? undefined : returnPayout(bank, payout, { amountCents, returnsAt: now })
  })
  bank.delivery.wake()
  return returned
}
