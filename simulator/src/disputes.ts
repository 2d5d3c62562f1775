import { randomUUID } from "node:crypto"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor, randomAlphanumerics } from "./books.ts"
import { bodyOf } from "./occasions.ts"
import { PaymentRefused } from "./payments.ts"
import { disputeListQuery, listParameters, Problem, pageOf, parseRequest } from "./problem.ts"
import { type Dispute, disputeSituations } from "./refund-books.ts"
import { refundPayment } from "./refunds.ts"
import { toInfracao } from "./views.ts"

const answerDays = 7
const dayMs = 86_400_000

type Opening = { endToEndId: string; amountCents: number | null; situation: string; comment: string | null }

/** The payer contests a payment, or a part of it. */
async function openDispute(bank: Bank, opening: Opening): Promise<Dispute> {
  const dispute = await bank.books.write(() => {
    const payment = bank.payments.find(opening.endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    const amountCents = opening.amountCents ?? payment.amountCents
    if (amountCents > payment.amountCents) throw invalid(400, "O valor contestado excede o do Pix.")
    const now = bank.clock.now()
    const opened: Dispute = {
      ...opening,
      disputeId: randomUUID(),
      amountCents,
      status: "ABERTA",
      defence: null,
      analysis: null,
      openedAt: now,
      respondUntil: now + answerDays * dayMs,
      defendedAt: null,
      closedAt: null,
      updatedAt: now,
    }
    bank.disputes.insert(opened)
    oweNotice(bank, opened)
    return opened
  })
  bank.delivery.wake()
  return dispute
}

/** Accepts one text per dispute, while the dispute is open and before its deadline. */
async function defendDispute(bank: Bank, disputeId: string, text: string): Promise<void> {
  await bank.books.write(() => {
    const dispute = findOpen(bank, disputeId)
    if (dispute.defence !== null) throw invalid(409, "A defesa para essa infração já foi criada.")
    const now = bank.clock.now()
    if (now > dispute.respondUntil) throw invalid(422, "O prazo para defesa foi excedido.")
    change(bank, { ...dispute, status: "EM_DEFESA", defence: text, defendedAt: now }, now)
  })
  bank.delivery.wake()
}

type Outcome = "ACEITA" | "REJEITADA" | "CANCELADA_EFI"

/** An accepted dispute returns the money at once: a refund that the platform did not ask for. */
async function closeDispute(bank: Bank, disputeId: string, outcome: Outcome): Promise<Dispute> {
  const closed = await bank.books.write(() => {
    const dispute = findOpen(bank, disputeId)
    const now = bank.clock.now()
    const analysis = outcome === "ACEITA" ? "Fraude confirmada." : "Não foi identificada fraude."
    return change(bank, { ...dispute, status: outcome, analysis, closedAt: now }, now)
  })
  if (outcome === "ACEITA") await takeBack(bank, closed)
  bank.delivery.wake()
  return closed
}

/** Money that was refunded meanwhile can't be returned again. */
async function takeBack(bank: Bank, { endToEndId, amountCents }: Dispute): Promise<void> {
  const payment = bank.payments.find(endToEndId)
  const counted = bank.refunds.ofPayment(endToEndId).filter(({ refusal }) => refusal === null)
  const left = (payment?.amountCents ?? 0) - counted.reduce((sum, refund) => sum + refund.amountCents, 0)
  const taken = Math.min(amountCents, left)
  if (taken <= 0) return
  const refundId = randomAlphanumerics(32)
  await refundPayment(bank, { endToEndId, refundId, amountCents: taken, nature: "MED_FRAUDE", payerNote: null })
}

function findOpen(bank: Bank, disputeId: string): Dispute {
  const dispute = bank.disputes.find(disputeId)
  if (dispute === undefined) throw new Problem("InfracaoNaoEncontrada", 404, "Infração não encontrada.")
  if (dispute.closedAt !== null) throw invalid(422, "A infração já foi finalizada.")
  return dispute
}

/** Each change gets a later timestamp than the one before, because clients tell changes apart by it. */
function change(bank: Bank, dispute: Dispute, now: number): Dispute {
  const changed = { ...dispute, updatedAt: Math.max(now, dispute.updatedAt + 1) }
  bank.disputes.update(changed)
  oweNotice(bank, changed)
  return changed
}

/** The standard has no such notice: this bank sends the infraction's id to the key's webhook. */
function oweNotice(bank: Bank, { disputeId, endToEndId, status, updatedAt }: Dispute): void {
  const { receiverKey } = bank.account
  if (!bank.faults.current().webhooksAtivos || bank.webhooks.find(receiverKey) === undefined) return
  const body = JSON.stringify({ infracoes: [{ idInfracao: disputeId, endToEndId, status }] })
  bank.webhooks.owe({ receiverKey, body, now: bank.clock.now(), dueAt: updatedAt })
}

function invalid(status: 400 | 409 | 422, razao: string): Problem {
  return new Problem("InfracaoOperacaoInvalida", status, razao, [{ razao, propriedade: "infracao" }])
}

const consultation = {
  problem: "InfracoesConsultaInvalida",
  detail: "Os parâmetros de consulta não respeitam o schema ou não fazem sentido semanticamente.",
} as const
const operation = {
  problem: "InfracaoOperacaoInvalida",
  detail: "A requisição que busca apresentar uma defesa de infração não respeita o schema.",
  prefix: "infracao",
} as const

const defenceParams = z.object({ idInfracao: z.uuid() })
const defenceRequest = z.object({
  analise: z.enum(["aceito", "rejeitado"]),
  justificativa: z.string().min(1).max(2000),
})

/** Disputes (MED). The standard has none: the calls follow Efí. */
export function disputeRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/gn/infracoes", { config: { scope: "gn.infractions.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: disputeListQuery, ...consultation })
    const { limit, offset } = pageOf(query)
    const total = bank.disputes.count(query.inicio, query.fim)
    const disputes = bank.disputes.page(query.inicio, query.fim, limit, offset)
    return { parametros: listParameters(query, total), infracoes: disputes.map(toInfracao) }
  })

  app.post(
    "/gn/infracoes/:idInfracao/defesa",
    { config: { scope: "gn.infractions.write" } },
    async (request, reply) => {
      const { idInfracao } = parseRequest(request.params, { schema: defenceParams, ...operation })
      const { justificativa } = parseRequest(request.body, { schema: defenceRequest, ...operation })
      await defendDispute(bank, idInfracao, justificativa)
      return reply.code(201).send("Defesa de infração MED criada")
    },
  )
}

const opening = z.strictObject({
  endToEndId: z.string(),
  /** The whole payment when absent. */
  valor: z
    .string()
    .refine((valor) => (centsFromValor(valor) ?? 0) > 0, "valor positivo, como 10.00")
    .optional(),
  tipoSituacao: z.enum(disputeSituations).default("golpe"),
  comentario: z.string().min(1).max(500).optional(),
})
const outcome = z.strictObject({ status: z.enum(["ACEITA", "REJEITADA", "CANCELADA_EFI"]) })

/** Disputes that payers open at their bank, and the banks' decisions. */
export function disputeControlRoutes(app: FastifyInstance, bank: Bank): void {
  app.post("/infracoes", async (request, reply) => {
    const { endToEndId, valor, tipoSituacao, comentario } = bodyOf(request, opening)
    const amountCents = valor === undefined ? null : (centsFromValor(valor) ?? 0)
    const dispute = { endToEndId, amountCents, situation: tipoSituacao, comment: comentario ?? null }
    return reply.code(201).send(toInfracao(await asRefusal(openDispute(bank, dispute))))
  })

  app.put("/infracoes/:idInfracao", async (request) => {
    const { status } = bodyOf(request, outcome)
    const { idInfracao } = request.params as { idInfracao: string }
    return toInfracao(await asRefusal(closeDispute(bank, idInfracao, status)))
  })

  app.get("/infracoes", async () => ({ infracoes: bank.disputes.newest(1000).map(toInfracao) }))
}

async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Problem) throw new PaymentRefused(error.message)
    throw error
  }
}
