import type { FastifyInstance } from "fastify"
import { z } from "zod"
import { isOnePerson, onePerson, type RecurrenceCall, recordId, withStatus } from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { Problem, parseRequest } from "./problem.ts"
import { existing, newRecordId } from "./recurrences.ts"

const invalidCall =
  "A requisição que busca criar ou alterar uma solicitação de confirmação de recorrência não respeita o _schema_ ou está semanticamente errada."
const callOperation = { problem: "SolicRecOperacaoInvalida", detail: invalidCall, prefix: "solicrec" } as const
const callParams = z.object({ idSolicRec: recordId })
const callRevision = z.object({ status: z.literal("CANCELADA") })
const callRequest = z.object({
  idRec: recordId,
  calendario: z.object({ dataExpiracaoSolicitacao: z.iso.datetime({ offset: true }) }),
  destinatario: z
    .object({
      ...onePerson,
      conta: z.string().max(20),
      ispbParticipante: z.string().regex(/^[0-9A-Z]{8}$/),
      agencia: z.string().max(4).optional(),
    })
    .refine(isOnePerson, { message: "O objeto solicrec.destinatario não respeita o _schema_." }),
})

export function recurrenceCallRoutes(app: FastifyInstance, bank: Bank): void {
  const { calls } = bank.automatic

  app.post("/solicrec", { config: { scope: "solicrec.write" } }, async (request, reply) => {
    const { idRec, ...body } = parseRequest(request.body, { schema: callRequest, ...callOperation })
    const now = bank.clock.now()
    if (Date.parse(body.calendario.dataExpiracaoSolicitacao) < now) {
      const razao =
        "O campo solicrec.calendario.dataExpiracaoSolicitacao é anterior à data de criação da solicitação da recorrência."
      throw invalidCallProblem(razao, "solicrec.calendario")
    }
    const call = await bank.books.write(() => {
      existing(bank, idRec)
      if (calls.ofRecurrence(idRec).some((each) => callAsSeen(bank, each).status === "RECEBIDA")) {
        throw invalidCallProblem("Existe uma solicitação ativa referente ao mesmo solicrec.idRec.", "solicrec.idRec")
      }
      const atualizacao = [{ status: "CRIADA", data: new Date(now).toISOString() }]
      const columns = { alias: null, status: "CRIADA", debtor: null, createdAt: now, dueAt: null } as const
      return calls.store({ ...body, ...columns, id: newRecordId("SC", now), recurrenceId: idRec, atualizacao })
    })
    return reply.code(201).send(toSolicRec(bank, call))
  })

  app.get("/solicrec/:idSolicRec", { config: { scope: "solicrec.read" } }, async ({ params }) =>
    toSolicRec(bank, existingCall(bank, params)),
  )

  app.patch("/solicrec/:idSolicRec", { config: { scope: "solicrec.write" } }, async (request, reply) => {
    const { status } = parseRequest(request.body, { schema: callRevision, ...callOperation })
    const call = callAsSeen(bank, existingCall(bank, request.params))
    if (call.status !== "RECEBIDA") {
      const razao =
        "Não é possível cancelar uma solicitação de recorrência com o status diferente de CRIADA, ENVIADA ou RECEBIDA."
      throw invalidCallProblem(razao, "solicrec.status")
    }
    const cancelled = await bank.books.write(() => calls.store(withStatus(call, status, bank.clock.now())))
    return reply.code(201).send(toSolicRec(bank, cancelled))
  })
}

function existingCall(bank: Bank, params: unknown): RecurrenceCall {
  const { idSolicRec } = parseRequest(params, { schema: callParams, ...callOperation })
  const call = bank.automatic.calls.find(idSolicRec)
  if (call !== undefined) return call
  throw new Problem(
    "SolicRecNaoEncontrada",
    404,
    "Solicitação de recorrência não encontrada para o idSolicRec informado.",
  )
}

/** This bank hands it to the payer's app at once. */
function callAsSeen(bank: Bank, call: RecurrenceCall): RecurrenceCall {
  if (call.status !== "CRIADA") return call
  const isOver = Date.parse(call.calendario.dataExpiracaoSolicitacao) <= bank.clock.now()
  const received = withStatus(withStatus(call, "ENVIADA", call.createdAt), "RECEBIDA", call.createdAt)
  return isOver ? withStatus(received, "EXPIRADA", bank.clock.now()) : received
}

export function toSolicRec(bank: Bank, stored: RecurrenceCall) {
  const { id, recurrenceId, status, calendario, destinatario, atualizacao } = callAsSeen(bank, stored)
  return { idSolicRec: id, idRec: recurrenceId, calendario, status, destinatario, atualizacao }
}

function invalidCallProblem(razao: string, propriedade: string): Problem {
  return new Problem("SolicRecOperacaoInvalida", 400, invalidCall, [{ razao, propriedade }])
}
