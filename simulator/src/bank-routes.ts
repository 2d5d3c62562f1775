import { readFileSync } from "node:fs"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor, randomAlphanumerics, valorFromCents } from "./books.ts"
import { controlRoutes, guardControl } from "./control-routes.ts"
import { disputeControlRoutes } from "./disputes.ts"
import { amountOn, type DueCharge, dayOf, lastDay, latestOf, termsOf } from "./due-charge-books.ts"
import { bodyOf, RequestRefused } from "./occasions.ts"
import type { MayControl } from "./open-to.ts"
import { automaticBooksOf, obeyCode, payerRoutes, readRecurrence } from "./payer-routes.ts"
import {
  expiryOf,
  findChargeOfCode,
  findDueChargeOfCode,
  PaymentRefused,
  pixOf,
  receiveStray,
  whyDueNotPayable,
  whyNotPayable,
} from "./payments.ts"
import type { Notice } from "./payout-books.ts"
import { payFromAccount, transferOf } from "./payouts.ts"
import { Problem } from "./problem.ts"
import { refundNatures } from "./refund-books.ts"
import { refundPayment } from "./refunds.ts"
import { toDevolucao, toPayout } from "./views.ts"

const payerNote = z.string().min(1).max(140)
const paymentRequest = z.object({ pixCopiaECola: z.string().trim().min(1), infoPagador: payerNote.optional() })

const positive = z.string().refine((valor) => (centsFromValor(valor) ?? 0) > 0, "valor positivo, como 10.00")
const strayRequest = z.object({
  valor: positive,
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  infoPagador: payerNote.optional(),
})
const bankRefundRequest = z.object({
  endToEndId: z.string(),
  valor: positive,
  natureza: z.enum(refundNatures).default("MED_FRAUDE"),
})

type BankRoutesOptions = { bank: Bank; log: (line: string) => void; mayControl: MayControl }

/** The payer's side of the bank and its fault switches: the simulator's own, in no standard. */
export async function bankRoutes(app: FastifyInstance, { bank, log, mayControl }: BankRoutesOptions) {
  app.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (error instanceof PaymentRefused) return reply.code(422).send({ message: error.message })
    if (error instanceof RequestRefused) return reply.code(error.status).send({ message: error.message })
    if (status === 413) return reply.code(413).send({ message: "O corpo do pedido passa de 64 KiB." })
    if (status >= 400 && status < 500) return reply.code(400).send({ message: "Envie um JSON válido." })
    log(`erro interno: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return reply.code(500).send({ message: "O simulador falhou. Tente novamente." })
  })

  const guard = guardControl(mayControl)
  app.post("/pagamentos", async (request, reply) => {
    const { pixCopiaECola, infoPagador } = codeOf(request)
    const transfer = transferOf(bank, pixCopiaECola)
    if (transfer !== undefined) {
      await guard(request)
      const { endToEndId, amountCents, settlesAt } = await payFromAccount(bank, transfer)
      const paid = { endToEndId, txid: transfer.txid, valor: valorFromCents(amountCents) }
      return reply.code(201).send({ ...paid, horario: instant(settlesAt) })
    }
    const { payment, recurrence } = await obeyCode(bank, pixCopiaECola, infoPagador ?? null)
    const { endToEndId = null, txid = null, amountCents = 0, paidAt = bank.clock.now() } = payment ?? {}
    const paid = { endToEndId, txid, valor: valorFromCents(amountCents), horario: instant(paidAt) }
    return reply.code(201).send({ ...paid, ...(recurrence && { recorrencia: recurrence }) })
  })

  app.post("/consultas", async (request) => {
    const { pixCopiaECola } = codeOf(request)
    const transfer = transferOf(bank, pixCopiaECola)
    if (transfer !== undefined) return readTransfer(transfer)
    const recurrence = readRecurrence(bank, pixCopiaECola)
    if (recurrence === undefined) return readCode(bank, pixCopiaECola)
    const { isAlone, id, status, rows } = recurrence
    const pagavel = status === "CRIADA"
    const { merchantName: nome, merchantCity: cidade, receiverKey: chave } = bank.account
    const none = { recebedor: { nome, cidade, chave }, txid: null, valor: "0.00", descricao: null, infoAdicionais: [] }
    const charge = isAlone ? { ...none, expiraEm: null, pagavel } : readCode(bank, pixCopiaECola)
    const message = pagavel ? undefined : `Esta recorrência já está ${status}.`
    return {
      ...charge,
      infoAdicionais: [...charge.infoAdicionais, ...rows],
      recorrencia: { idRec: id, status },
      ...(message !== undefined && { pagavel, message }),
    }
  })
  app.get("/conta", async () => {
    const { receiverKey, merchantName, merchantCity } = bank.account
    return { chave: receiverKey, nome: merchantName, cidade: merchantCity }
  })

  app.register(async (scope) => {
    scope.addHook("onRequest", guard)
    strayRoutes(scope, bank)
    controlRoutes(scope, bank)
    bookRoutes(scope, bank)
    disputeControlRoutes(scope, bank)
    payerRoutes(scope, bank)
  })
}

function readTransfer({ key, amountCents, txid, merchantName }: NonNullable<ReturnType<typeof transferOf>>) {
  const recebedor = { nome: merchantName, cidade: null, chave: key }
  const shown = { txid, valor: valorFromCents(amountCents), descricao: null, infoAdicionais: [], expiraEm: null }
  return { recebedor, ...shown, daConta: true, pagavel: true }
}

function readCode(bank: Bank, pixCopiaECola: string) {
  const due = findDueChargeOfCode(bank, pixCopiaECola)
  if (due !== undefined) return readDueCharge(bank, due)
  const charge = findChargeOfCode(bank, pixCopiaECola)
  const refusal = whyNotPayable(charge, bank.clock.now())
  return {
    recebedor: { nome: bank.account.merchantName, cidade: bank.account.merchantCity, chave: charge.receiverKey },
    txid: charge.txid,
    valor: valorFromCents(charge.amountCents),
    descricao: charge.details.solicitacaoPagador ?? null,
    infoAdicionais: charge.details.infoAdicionais ?? [],
    status: charge.status,
    expiraEm: new Date(expiryOf(charge)).toISOString(),
    pagavel: refusal === undefined,
    ...(refusal !== undefined && { message: refusal }),
  }
}

/** As a payer's bank shows it: the amount of the day, in its parts. */
function readDueCharge({ account, clock }: Bank, charge: DueCharge) {
  const now = clock.now()
  const { solicitacaoPagador, infoAdicionais = [], valor, calendario, chave } = latestOf(charge)
  const terms = termsOf(latestOf(charge))
  const { amount, abatement, discount, fine, interest } = amountOn(terms, dayOf(now), {})
  const parts = {
    Original: Number(valor.original) * 100,
    Abatimento: abatement,
    Desconto: discount,
    Multa: fine,
    Juros: interest,
  }
  const shown = Object.entries(parts).flatMap(([nome, cents]) =>
    cents === 0 ? [] : [{ nome, valor: `R$ ${valorFromCents(Math.round(cents)).replace(".", ",")}` }],
  )
  const refusal = whyDueNotPayable(charge, now)
  return {
    recebedor: { nome: account.merchantName, cidade: account.merchantCity, chave },
    txid: charge.txid,
    valor: valorFromCents(amount),
    descricao: solicitacaoPagador ?? null,
    infoAdicionais: [
      { nome: "Vencimento", valor: calendario.dataDeVencimento.split("-").toReversed().join("/") },
      ...shown,
      ...infoAdicionais,
    ],
    status: charge.status,
    expiraEm: `${lastDay(terms, {})}T23:59:59-03:00`,
    pagavel: refusal === undefined,
    ...(refusal !== undefined && { message: refusal }),
  }
}

/** Events that no client asked for (stray payments, refunds by the bank), and the contents of the books. */
function strayRoutes(app: FastifyInstance, bank: Bank): void {
  app.post("/recebimentos", async (request, reply) => {
    const { valor, txid, infoPagador } = bodyOf(request, strayRequest)
    const amountCents = centsFromValor(valor) ?? 0
    const payment = await receiveStray(bank, { txid: txid ?? null, amountCents, payerNote: infoPagador ?? null })
    return reply.code(201).send(pixOf(bank, payment))
  })

  app.post("/devolucoes", async (request, reply) => {
    const { endToEndId, valor, natureza } = bodyOf(request, bankRefundRequest)
    const amountCents = centsFromValor(valor) ?? 0
    const refundId = randomAlphanumerics(32)
    try {
      const refund = await refundPayment(bank, { endToEndId, refundId, amountCents, nature: natureza, payerNote: null })
      return reply.code(201).send(toDevolucao(refund, bank.clock.now()))
    } catch (error) {
      if (error instanceof Problem) throw new PaymentRefused(error.message)
      throw error
    }
  })

  app.get("/devolucoes", async () => {
    const now = bank.clock.now()
    const devolucoes = bank.refunds
      .newest(1000)
      .map((refund) => ({ endToEndId: refund.endToEndId, ...toDevolucao(refund, now) }))
    return { devolucoes }
  })

  app.get("/envios", async () => {
    const now = bank.clock.now()
    return { envios: bank.payouts.newest(1000).map((payout) => toPayout(payout, now)) }
  })
}

function codeOf(request: FastifyRequest): z.infer<typeof paymentRequest> {
  const parsed = paymentRequest.safeParse(request.body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path[0]
  throw new RequestRefused(
    400,
    field === "infoPagador" ? "infoPagador tem de 1 a 140 caracteres." : "Cole o código Pix.",
  )
}

const files = [
  { path: "/", file: "page.html", type: "text/html; charset=utf-8" },
  { path: "/app.js", file: "app.js", type: "text/javascript; charset=utf-8" },
  { path: "/base.css", file: "base.css", type: "text/css; charset=utf-8" },
  { path: "/app.css", file: "app.css", type: "text/css; charset=utf-8" },
  { path: "/controle", file: "control.html", type: "text/html; charset=utf-8" },
  { path: "/control.js", file: "control.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-books.js", file: "control-books.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-faults.js", file: "control-faults.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-tools.js", file: "control-tools.js", type: "text/javascript; charset=utf-8" },
  { path: "/control.css", file: "control.css", type: "text/css; charset=utf-8" },
  { path: "/icon.svg", file: "icon.svg", type: "image/svg+xml" },
]

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/**
 * The payer's bank app and the faults page, with scripts and styles under one prefix, so that a proxy needs no
 * rewriting.
 */
export async function bankPage(app: FastifyInstance, { mayControl }: { mayControl: MayControl }) {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "cache-control": "no-cache",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
  })
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof RequestRefused)) throw error
    return reply.code(error.status).type("text/plain; charset=utf-8").send(error.message)
  })
  for (const { path, file, type } of files) {
    const content = readFileSync(new URL(`./bank-page/${file}`, import.meta.url))
    const guard = path === "/controle" ? { onRequest: guardControl(mayControl) } : {}
    app.get(path, guard, (_request, reply) => reply.type(type).send(content))
  }
}

const newest = 50

/** Read access to the bank's books. */
function bookRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/livros", async () => {
    const now = bank.clock.now()
    return {
      agora: instant(now),
      webhook: bank.webhooks.find(bank.account.receiverKey)?.url ?? null,
      cobrancas: bank.charges.newest(newest).map((charge) => ({
        txid: charge.txid,
        valor: valorFromCents(charge.amountCents),
        status: charge.status,
        descricao: charge.details.solicitacaoPagador ?? null,
        criacao: instant(charge.createdAt),
        expiraEm: instant(expiryOf(charge)),
        expirou: now >= expiryOf(charge),
        pixCopiaECola: charge.pixCode,
      })),
      cobrancasComVencimento: bank.dueCharges.newest(newest).map((charge) => ({
        txid: charge.txid,
        status: charge.status,
        criacao: instant(charge.createdAt),
        pixCopiaECola: charge.pixCode,
        ...latestOf(charge),
      })),
      ...automaticBooksOf(bank, newest),
      recebimentos: bank.payments.newest(newest).map((payment) => ({
        endToEndId: payment.endToEndId,
        txid: payment.txid,
        valor: valorFromCents(payment.amountCents),
        horario: instant(payment.paidAt),
      })),
      envios: bank.payouts.newest(newest).map((payout) => toPayout(payout, now)),
      devolucoes: bank.refunds
        .newest(newest)
        .map((refund) => ({ endToEndId: refund.endToEndId, ...toDevolucao(refund, now) })),
      avisos: bank.webhooks.newest(newest).map((notice) => toAviso(notice)),
    }
  })
}

function toAviso({ id, body, attempts, createdAt, dueAt, settledAt, lastAnswer }: Notice) {
  return {
    id,
    corpo: body,
    tentativas: attempts,
    criacao: instant(createdAt),
    proximaTentativa: settledAt === null ? instant(dueAt) : null,
    encerramento: settledAt === null ? null : instant(settledAt),
    ultimaResposta: lastAnswer,
  }
}

function instant(moment: number): string {
  return new Date(moment).toISOString()
}
