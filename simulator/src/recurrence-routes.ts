import { randomBytes, randomInt } from "node:crypto"
import { encodeDynamic, encodeRecurrence } from "@tilinta/brcode/encode"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import {
  occasionOf,
  type Recurrence,
  type RecurrenceLocation,
  type RecurrenceRequest,
  recordId,
  recurrenceRequest,
  recurrenceRevision,
} from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { receiverNames } from "./debits.ts"
import { dayOf } from "./due-charge-books.ts"
import { chargeListQuery, listParameters, locationListQuery, Problem, pageOf, parseRequest } from "./problem.ts"
import { toSolicRec } from "./recurrence-call-routes.ts"
import { activationOf, asSeen, cancellation, changeRecurrence, existing, newRecordId } from "./recurrences.ts"

const invalidRecurrence =
  "A requisição que busca alterar ou criar uma recorrência não respeita o _schema_ ou está semanticamente errada."
const invalidQuery =
  "Os parâmetros de consulta à lista de recorrências não respeitam o schema ou não fazem sentido semanticamente."
const operation = { problem: "RecOperacaoInvalida", detail: invalidRecurrence, prefix: "rec" } as const
const consultation = { problem: "RecConsultaInvalida", detail: invalidQuery } as const

const idParams = z.object({ idRec: recordId })
const txidQuery = z.object({ txid: z.string().optional() })

export function recurrenceRoutes(app: FastifyInstance, bank: Bank): void {
  const { recurrences } = bank.automatic

  app.post("/rec", { config: { scope: "rec.write" } }, async (request, reply) => {
    const body = parseRequest(request.body, { schema: recurrenceRequest, ...operation })
    return reply.code(201).send(toRec(bank, await bank.books.write(() => create(bank, body))))
  })

  app.patch("/rec/:idRec", { config: { scope: "rec.write" } }, async (request) => {
    const { idRec } = parseRequest(request.params, { schema: idParams, ...operation })
    const revision = parseRequest(request.body, { schema: recurrenceRevision, ...operation })
    const revised = await bank.books.write(() => revise(bank, existing(bank, idRec), revision))
    bank.delivery.wake()
    return toRec(bank, revised)
  })

  app.get("/rec/:idRec", { config: { scope: "rec.read" } }, async (request) => {
    const { idRec } = parseRequest(request.params, { schema: idParams, ...consultation })
    const { txid } = parseRequest(request.query, { schema: txidQuery, ...consultation })
    const recurrence = existing(bank, idRec)
    const strike = (kind: "sem-dados-qr" | "outro-contrato") =>
      bank.faultRules.strike(kind, occasionOf(recurrence)) !== undefined
    const whole = { ...toCompleteRec(bank, recurrence), ...codeOf(bank, recurrence, txid) }
    const { dadosQR: _, ...bare } = whole
    const answer = strike("sem-dados-qr") ? bare : whole
    return strike("outro-contrato") ? { ...answer, vinculo: { ...whole.vinculo, contrato: "outro" } } : answer
  })

  app.get("/rec", { config: { scope: "rec.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: chargeListQuery, ...consultation })
    const { inicio: from, fim: to, status, cpf, cnpj } = query
    const filter = { from, to, status, debtor: cpf ?? cnpj }
    const { limit, offset } = pageOf(query)
    const recs = recurrences.page(filter, limit, offset).map((each) => toCompleteRec(bank, asSeen(bank, each)))
    return { parametros: listParameters(query, recurrences.count(filter)), recs }
  })
}

function create(bank: Bank, request: RecurrenceRequest): Recurrence {
  const now = bank.clock.now()
  refuseNonsense(request, now)
  const id = newRecordId(request.politicaRetentativa === "NAO_PERMITE" ? "RN" : "RR", now)
  if (request.loc !== undefined) take(bank, request.loc, id)
  const { cpf, cnpj } = request.vinculo.devedor
  return bank.automatic.recurrences.store({
    ...request,
    ...{ id, alias: null, status: "CRIADA", recurrenceId: null, debtor: cpf ?? cnpj ?? null, createdAt: now },
    ...{ dueAt: null, tipoJornada: "AGUARDANDO_DEFINICAO", ceilingCents: null },
    atualizacao: [{ status: "CRIADA", data: new Date(now).toISOString() }],
  })
}

function refuseNonsense({ calendario: { dataInicial, dataFinal } }: RecurrenceRequest, createdAt: number): void {
  if (dataInicial < dayOf(createdAt)) {
    const razao = "O campo rec.calendario.dataInicial é anterior à data de criação da recorrência."
    throw invalid(razao, "rec.calendario.dataInicial")
  }
  if (dataFinal !== undefined && dataFinal < dataInicial) {
    const razao = "O campo rec.calendario.dataFinal é anterior ao campo rec.calendario.dataInicial."
    throw invalid(razao, "rec.calendario.dataFinal")
  }
}

/** Ties the address to the recurrence. */
function take(bank: Bank, loc: number, recurrenceId: string): void {
  const location = bank.automatic.locations.find(String(loc))
  if (location === undefined) throw invalid("O location referenciado por rec.loc inexiste.", "rec.loc")
  if ((location.recurrenceId ?? recurrenceId) !== recurrenceId) {
    throw invalid("O location referenciado por rec.loc já está sendo utilizado por outra recorrência.", "rec.loc")
  }
  bank.automatic.locations.store({ ...location, recurrenceId })
}

function revise(bank: Bank, recurrence: Recurrence, revision: z.infer<typeof recurrenceRevision>): Recurrence {
  const { status, vinculo, calendario, loc, ativacao } = revision
  if (recurrence.status !== "CRIADA" && recurrence.status !== "APROVADA") {
    throw invalid("A recorrência encontra-se expirada, cancelada ou rejeitada.", "rec.status")
  }
  const isOpen = recurrence.status === "CRIADA"
  if (loc !== undefined && !isOpen) {
    throw invalid(
      "O campo rec.loc somente pode ser alterado quando a recorrência apresentar-se com o status CRIADA.",
      "rec.loc",
    )
  }
  if (calendario !== undefined && !isOpen) {
    const razao =
      "O campo rec.calendario.dataInicial somente pode ser alterado quando a recorrência apresentar-se com o status CRIADA."
    throw invalid(razao, "rec.calendario.dataInicial")
  }
  if (loc !== undefined) take(bank, loc, recurrence.id)
  const next: Recurrence = {
    ...recurrence,
    vinculo: { ...recurrence.vinculo, devedor: { ...recurrence.vinculo.devedor, ...vinculo?.devedor } },
    calendario: { ...recurrence.calendario, ...calendario },
    ...(loc !== undefined && { loc }),
    ...(ativacao && { ativacao }),
  }
  refuseNonsense(next, recurrence.createdAt)
  if (status === undefined) return bank.automatic.recurrences.store(next)
  return changeRecurrence(bank, next, status, { encerramento: cancellation("USUARIO_RECEBEDOR", "SLCR") })
}

function invalid(razao: string, propriedade: string): Problem {
  return new Problem("RecOperacaoInvalida", 400, invalidRecurrence, [{ razao, propriedade }])
}

function locationOf(bank: Bank, { loc }: Recurrence): RecurrenceLocation | undefined {
  return loc === undefined ? undefined : bank.automatic.locations.find(String(loc))
}

/** The code of the way that the charge's txid chooses. */
function codeOf(
  bank: Bank,
  recurrence: Recurrence,
  txid: string | undefined,
): { dadosQR?: { jornada: string; pixCopiaECola: string } } {
  const urlRec = locationOf(bank, recurrence)?.alias
  const names = { merchantName: bank.account.merchantName, merchantCity: bank.account.merchantCity }
  const dadosQR = (jornada: string, pixCopiaECola: string) => ({ dadosQR: { jornada, pixCopiaECola } })
  if (txid === undefined) {
    return urlRec === undefined ? {} : dadosQR("JORNADA_2", encodeRecurrence({ urlRec, ...names }))
  }
  const due = bank.dueCharges.findByTxid(txid)
  const charge = due ?? bank.charges.findByTxid(txid)
  const first = recurrence.ativacao?.dadosJornada?.txid
  if (charge === undefined || (due === undefined && first !== txid)) {
    const razao =
      "O parâmetro txid corresponde a uma cobrança imediata diferente da informada no campo ativação.dadosJornada.txid."
    throw new Problem("RecConsultaInvalida", 400, invalidQuery, [{ razao, propriedade: "txid" }])
  }
  if (urlRec === undefined) return {}
  const pixCopiaECola = encodeDynamic({ url: charge.location, urlRec, ...names })
  return dadosQR(due === undefined ? "JORNADA_3" : "JORNADA_4", pixCopiaECola)
}

function toRec(bank: Bank, recurrence: Recurrence) {
  const { id, vinculo, calendario, valor, status, politicaRetentativa, atualizacao, encerramento } = recurrence
  const location = locationOf(bank, recurrence)
  return {
    idRec: id,
    vinculo,
    calendario,
    ...(valor && { valor }),
    recebedor: receiverNames(bank),
    status,
    politicaRetentativa,
    ...(location && { loc: toLocation(location) }),
    atualizacao,
    ...(encerramento && { encerramento }),
    ativacao: activationOf(recurrence),
  }
}

/** With what is known of the payer since the authorisation. */
function toCompleteRec(bank: Bank, recurrence: Recurrence) {
  const { nome: _, ...person } = recurrence.vinculo.devedor
  const pagador = { ...person, ispbParticipante: "99999999", codMun: "3550308" }
  const solicitacao = bank.automatic.calls.ofRecurrence(recurrence.id).map((call) => toSolicRec(bank, call))
  return {
    ...toRec(bank, recurrence),
    ...(recurrence.atualizacao.some(({ status }) => status === "APROVADA") && { pagador }),
    ...(solicitacao.length > 0 && { solicitacao }),
  }
}

function toLocation({ id, alias, createdAt, recurrenceId }: RecurrenceLocation) {
  const criacao = new Date(createdAt).toISOString()
  return {
    id: Number(id),
    location: alias,
    tipo: "rec",
    criacao,
    ...(recurrenceId !== null && { idRec: recurrenceId }),
  }
}

const locationParams = z.object({ id: z.string() })

export function recurrenceLocationRoutes(app: FastifyInstance, bank: Bank): void {
  const { locations } = bank.automatic
  const found = (params: unknown) => {
    const { id } = parseRequest(params, { schema: locationParams, ...consultation })
    const location = locations.find(id)
    if (location !== undefined) return location
    throw new Problem("PayloadLocationRecNaoEncontrado", 404, "Location não encontrada para o id informado.")
  }

  app.post("/locrec", { config: { scope: "payloadlocationrec.write" } }, async (_request, reply) => {
    const location: RecurrenceLocation = {
      ...{ id: String(randomInt(1, 2 ** 31)), status: "CRIADA", recurrenceId: null, debtor: null, dueAt: null },
      alias: `${bank.account.locationBase}/qr/v2/rec/${randomBytes(12).toString("hex")}`,
      createdAt: bank.clock.now(),
    }
    return reply.code(201).send(toLocation(await bank.books.write(() => locations.store(location))))
  })

  app.get("/locrec/:id", { config: { scope: "payloadlocationrec.read" } }, async ({ params }) =>
    toLocation(found(params)),
  )

  app.delete("/locrec/:id/idRec", { config: { scope: "payloadlocationrec.write" } }, async ({ params }) => {
    const location = found(params)
    return bank.books.write(() => {
      const recurrence = bank.automatic.recurrences.find(location.recurrenceId ?? "")
      if (recurrence !== undefined) {
        const { loc: _, ...rest } = recurrence
        bank.automatic.recurrences.store(rest)
      }
      return toLocation(locations.store({ ...location, recurrenceId: null }))
    })
  })

  app.get("/locrec", { config: { scope: "payloadlocationrec.read" } }, async (request) => {
    const detail = "Os parâmetros de consulta à lista de locations não respeitam o _schema_."
    const problem = "PayloadLocationRecConsultaInvalida"
    const query = parseRequest(request.query, { schema: locationListQuery, problem, detail })
    const filter = { from: query.inicio, to: query.fim, hasRecurrence: query.idRecPresente }
    const { limit, offset } = pageOf(query)
    const loc = locations.page(filter, limit, offset).map(toLocation)
    return { parametros: listParameters(query, locations.count(filter)), loc }
  })
}
