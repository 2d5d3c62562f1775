import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor, never } from "./books.ts"
import type { Payment } from "./charge-books.ts"
import { occasionOfPayment, refuseRepeated } from "./occasions.ts"
import { Problem, parseRequest } from "./problem.ts"
import type { Refund, RefundNature } from "./refund-books.ts"
import { newReturnId, toDevolucao, toNotifiedPix } from "./views.ts"
import { oweNotice } from "./webhooks.ts"

export const refundRefusal = "Devolução recusada pelo banco do pagador."
const longestAgeMs = 90 * 86_400_000

type RefundRequest = {
  endToEndId: string
  refundId: string
  amountCents: number
  nature: RefundNature
  payerNote: string | null
}

/** Idempotent: an equal request is answered with the same refund. More than was paid is never returned. */
export async function refundPayment(bank: Bank, request: RefundRequest): Promise<Refund> {
  const refund = await bank.books.write(() => {
    const payment = bank.payments.find(request.endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    const existing = bank.refunds.find(request.endToEndId, request.refundId)
    if (existing === undefined) return recordRefund(bank, payment, request)
    if (isSame(existing, request)) {
      const { names } = occasionOfPayment(bank, payment)
      refuseRepeated(bank, "PixDevolucaoInvalida", { names, operation: "devolucao" })
      return existing
    }
    throw invalidRefund("O campo {id} já foi utilizado por outra requisição de devolução para o e2eid.")
  })
  bank.delivery.wake()
  return refund
}

function isSame(existing: Refund, { amountCents, payerNote, nature }: RefundRequest): boolean {
  return existing.amountCents === amountCents && existing.payerNote === payerNote && existing.nature === nature
}

function recordRefund(bank: Bank, payment: Payment, request: RefundRequest): Refund {
  const requestedAt = bank.clock.now()
  const { liquidacaoMs, devolucoesRecusadas } = bank.faults.current()
  refuseWhatExceeds(bank, payment, request.amountCents, requestedAt)
  const { names } = occasionOfPayment(bank, payment)
  const occasion = { names: new Set([...names, request.refundId]) }
  const isRefused =
    (devolucoesRecusadas && request.nature === "ORIGINAL") ||
    bank.faultRules.strike("devolucao-recusada", occasion) !== undefined
  const isStuck = bank.faultRules.strike("devolucao-sem-desfecho", occasion) !== undefined
  const refund: Refund = {
    ...request,
    returnId: newReturnId(requestedAt),
    requestedAt,
    settlesAt: isStuck ? never : requestedAt + liquidacaoMs,
    refusal: isRefused ? refundRefusal : null,
  }
  bank.refunds.insert(refund)
  if (!isStuck) notifyRefund(bank, payment, refund)
  return refund
}

function refuseWhatExceeds(bank: Bank, payment: Payment, amountCents: number, now: number): void {
  if (now - payment.paidAt > longestAgeMs) throw invalidRefund("A devolução excede o prazo de 90 dias.")
  const counted = bank.refunds
    .ofPayment(payment.endToEndId)
    .filter(({ refusal, settlesAt }) => refusal === null || now < settlesAt)
    .reduce((sum, refund) => sum + refund.amountCents, 0)
  if (counted + amountCents <= payment.amountCents) return
  throw invalidRefund("A devolução, em conjunto com as prévias, excederia o valor do Pix originário.")
}

/** Notifies when the refund's outcome is final, and only for a Pix with a txid. */
export function notifyRefund(bank: Bank, payment: Payment, { settlesAt }: Refund): void {
  if (payment.txid === null) return
  const pix = toNotifiedPix(payment, bank.refunds.ofPayment(payment.endToEndId), settlesAt)
  oweNotice(bank, pix, { occasion: occasionOfPayment(bank, payment), now: bank.clock.now(), dueAt: settlesAt })
}

function invalidRefund(razao: string): Problem {
  return new Problem("PixDevolucaoInvalida", 400, razao, [{ razao, propriedade: "devolucao" }])
}

const refundInvalid = "A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente."

const refundParams = z.object({
  endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
})
const refundRequest = z.object({
  valor: z.string().refine((valor) => (centsFromValor(valor) ?? 0) > 0, "O campo devolucao.valor não é positivo."),
  natureza: z.literal("ORIGINAL").default("ORIGINAL"),
  descricao: z.string().max(140).optional(),
})

const operation = { problem: "PixDevolucaoInvalida", detail: refundInvalid, prefix: "devolucao" } as const

export function refundRoutes(app: FastifyInstance, bank: Bank): void {
  app.put("/pix/:endToEndId/devolucao/:id", { config: { scope: "pix.write" } }, async (request, reply) => {
    const { endToEndId, id } = parseRequest(request.params, { schema: refundParams, ...operation })
    const { valor, natureza, descricao } = parseRequest(request.body, { schema: refundRequest, ...operation })
    const refund = await refundPayment(bank, {
      endToEndId,
      refundId: id,
      amountCents: centsFromValor(valor) ?? 0,
      nature: natureza,
      payerNote: descricao ?? null,
    })
    return reply.code(201).send(toDevolucao(refund, bank.clock.now()))
  })

  app.get("/pix/:endToEndId/devolucao/:id", { config: { scope: "pix.read" } }, async (request) => {
    const { endToEndId, id } = parseRequest(request.params, { schema: refundParams, ...operation })
    const refund = bank.refunds.find(endToEndId, id)
    if (refund === undefined) {
      throw new Problem("PixDevolucaoNaoEncontrada", 404, "Devolução não encontrada para o e2eid informado.")
    }
    return toDevolucao(refund, bank.clock.now())
  })
}
