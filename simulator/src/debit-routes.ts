import { dayAfter, daysBetween } from "@tilinta/contract/vocabulary/due-amount"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import { cycleOf, type Debit, debitRequest } from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { randomAlphanumerics } from "./books.ts"
import {
  cancelDebit,
  isLive,
  lastCancellation,
  lastDayOf,
  newAttempt,
  receivingAccount,
  scheduled,
  settlementDay,
  toDebit,
} from "./debits.ts"
import { calendarDay, dayOf } from "./due-charge-books.ts"
import { debitListQuery, listParameters, Problem, pageOf, parseRequest } from "./problem.ts"
import { existing } from "./recurrences.ts"

const invalidDebit =
  "A requisição que busca alterar ou criar uma cobrança recorrente não respeita o _schema_ ou está semanticamente errada."
const invalidQuery =
  "Os parâmetros de consulta à lista de cobranças não respeitam o schema ou não fazem sentido semanticamente."
const operation = { problem: "CobROperacaoInvalida", detail: invalidDebit, prefix: "cobr" } as const
const consultation = { problem: "CobRConsultaInvalida", detail: invalidQuery } as const

const txidParams = z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })
const retryParams = z.object({ ...txidParams.shape, data: calendarDay })
const revision = z.object({ status: z.literal("CANCELADA") })

/** Calendar days before its settlement in which a payer's bank takes a debit. */
const EARLIEST = 10
const LATEST = 2
const MOST_RETRIES = 3

export function debitRoutes(app: FastifyInstance, bank: Bank): void {
  const { debits } = bank.automatic
  const write = async (work: () => Debit) => {
    const debit = await bank.books.write(work)
    bank.delivery.wake()
    return toDebit(bank, debit)
  }

  app.put("/cobr/:txid", { config: { scope: "cobr.write" } }, async (request, reply) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...operation })
    const body = parseRequest(request.body, { schema: debitRequest, ...operation })
    return reply.code(201).send(await write(() => create(bank, txid, body)))
  })

  app.post("/cobr", { config: { scope: "cobr.write" } }, async (request, reply) => {
    const body = parseRequest(request.body, { schema: debitRequest, ...operation })
    return reply.code(201).send(await write(() => create(bank, randomAlphanumerics(32), body)))
  })

  app.patch("/cobr/:txid", { config: { scope: "cobr.write" } }, async (request) => {
    parseRequest(request.body, { schema: revision, ...operation })
    return write(() => {
      const debit = found(bank, request.params)
      if (!isOpen(debit) || bank.clock.now() >= lastCancellation(debit)) {
        throw invalid(
          "Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.",
          "cobr.status",
        )
      }
      return cancelDebit(bank, debit, { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR" })
    })
  })

  app.post("/cobr/:txid/retentativa/:data", { config: { scope: "cobr.write" } }, async (request, reply) => {
    const { data } = parseRequest(request.params, { schema: retryParams, ...operation })
    return reply.code(201).send(await write(() => retry(bank, found(bank, request.params), data)))
  })

  app.get("/cobr/:txid", { config: { scope: "cobr.read" } }, async ({ params }) => toDebit(bank, found(bank, params)))

  app.get("/cobr", { config: { scope: "cobr.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: debitListQuery, ...consultation })
    const { inicio: from, fim: to, status, cpf, cnpj, idRec: recurrenceId } = query
    const filter = { from, to, status, recurrenceId, debtor: cpf ?? cnpj }
    const { limit, offset } = pageOf(query)
    const cobsr = debits.page(filter, limit, offset).map((debit) => toDebit(bank, debit))
    return { parametros: listParameters(query, debits.count(filter)), cobsr }
  })
}

function create(bank: Bank, txid: string, { idRec, ...body }: z.infer<typeof debitRequest>): Debit {
  const { debits } = bank.automatic
  const now = bank.clock.now()
  const recurrence = existing(bank, idRec)
  if (debits.find(txid) !== undefined) throw invalid("O campo cobr.txid encontra-se em uso.", "cobr.txid")
  const { conta, agencia = receivingAccount.agencia } = body.recebedor
  if (conta !== receivingAccount.conta || agencia !== receivingAccount.agencia) {
    const razao =
      "Os campos cobr.recebedor.conta e cobr.recebedor.agencia correspondem a uma conta que não pertence a este usuário recebedor."
    throw invalid(razao, "cobr.recebedor")
  }
  const day = settlementDay(body)
  refuseDay(body.calendario.dataDeVencimento, daysBetween(dayOf(now), day, "calendar"), now, bank)
  const cycle = cycleOf(recurrence, body.calendario.dataDeVencimento).number
  const isTaken = debits
    .ofRecurrence(idRec)
    .filter(({ status }) => status !== "REJEITADA" && status !== "CANCELADA")
    .some(({ calendario }) => cycleOf(recurrence, calendario.dataDeVencimento).number === cycle)
  if (isTaken) {
    const razao =
      "Existe uma CobR com status diferente de REJEITADA e CANCELADA referente ao mesmo cobr.idRec com calendario.dataDeVencimento no mesmo ciclo."
    throw invalid(razao, "cobr.calendario.dataDeVencimento")
  }
  const { politicaRetentativa, debtor } = recurrence
  const columns = { alias: null, status: "CRIADA", recurrenceId: idRec, debtor, createdAt: now, dueAt: null } as const
  return debits.store(
    scheduled({
      ...body,
      ...columns,
      id: txid,
      politicaRetentativa,
      day,
      atualizacao: [{ status: "CRIADA", data: new Date(now).toISOString() }],
      tentativas: [newAttempt(bank, day, "AGND")],
    }),
  )
}

function refuseDay(dueDay: string, ahead: number, now: number, { clock }: Bank): void {
  const refuse = (razao: string) => {
    throw invalid(razao, "cobr.calendario.dataDeVencimento")
  }
  if (dueDay < dayOf(clock.now())) {
    refuse("O campo cobr.calendario.dataDeVencimento é anterior à data de criação da cobrança.")
  }
  const about = `${dueDay}, pedida em ${dayOf(now)}`
  if (ahead > EARLIEST) refuse(`A liquidação está a mais de ${EARLIEST} dias (FCD1): ${about}.`)
  if (ahead < LATEST) refuse(`A liquidação está a menos de ${LATEST} dias (FCD2): ${about}.`)
}

function retry(bank: Bank, debit: Debit, data: string): Debit {
  const refuse = (razao: string): never => {
    throw invalid(razao, "data")
  }
  const retries = debit.tentativas.filter(({ tipo }) => tipo === "NTAG")
  if (debit.politicaRetentativa === "NAO_PERMITE") {
    refuse("A política configurada na recorrência não permite retentativa de cobrança. (IRNT)")
  }
  if (debit.status === "CONCLUIDA") refuse("A cobrança já foi paga. (NIPA)")
  if (!isOpen(debit)) refuse("A cobrança está encerrada.")
  if (debit.tentativas.some(isLive)) refuse("Existe uma tentativa com status `SOLICITADA` ou `AGENDADA`. (NIEC)")
  if (retries.length >= MOST_RETRIES) refuse("A cobrança já teve três retentativas. (QUNT)")
  if (data <= dayOf(bank.clock.now())) refuse("O parâmetro `data` não corresponde a uma data futura.")
  if (data > lastDayOf(debit) || data < dayAfter(debit.day, 1)) {
    refuse("O parâmetro `data` está fora dos 7 dias depois do vencimento. (DTNT)")
  }
  return bank.automatic.debits.store(
    scheduled({ ...debit, tentativas: [...debit.tentativas, newAttempt(bank, data, "NTAG")] }),
  )
}

function isOpen({ status }: Debit): boolean {
  return status === "CRIADA" || status === "ATIVA"
}

function found(bank: Bank, params: unknown): Debit {
  const { txid } = parseRequest(params, { schema: txidParams, ...consultation })
  const debit = bank.automatic.debits.find(txid)
  if (debit === undefined) throw new Problem("CobRNaoEncontrado", 404, "Cobrança não encontrada para o txid informado.")
  return debit
}

function invalid(razao: string, propriedade: string): Problem {
  return new Problem("CobROperacaoInvalida", 400, invalidDebit, [{ razao, propriedade }])
}
