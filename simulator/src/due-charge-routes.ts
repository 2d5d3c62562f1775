import { randomBytes } from "node:crypto"
import { encodeDynamic } from "@tilinta/brcode/encode"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor } from "./books.ts"
import {
  type DueCharge,
  type DueChargeRequest,
  type DueChargeRevision,
  dayOf,
  dueChargeRequest,
  dueChargeRevision,
  latestOf,
} from "./due-charge-books.ts"
import { occasionOfCharge, refuseRepeated } from "./occasions.ts"
import { pixOf } from "./payments.ts"
import { chargeListQuery, listParameters, Problem, pageOf, parseRequest } from "./problem.ts"

const invalidCharge =
  "A requisição que busca alterar ou criar uma cobrança com vencimento não respeita o _schema_ ou está semanticamente errada."
const invalidQuery =
  "Os parâmetros de consulta à lista de cobranças com vencimento não respeitam o schema ou não fazem sentido semanticamente."

const txidParams = z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })
const revisionQuery = z.object({ revisao: z.coerce.number().int().min(0).optional() })

const operation = { problem: "CobVOperacaoInvalida", detail: invalidCharge, prefix: "cobv" } as const
const consultation = { problem: "CobVConsultaInvalida", detail: invalidQuery } as const

export function cobvRoutes(app: FastifyInstance, bank: Bank): void {
  const withPix = (charge: DueCharge) => {
    const pix = bank.payments.ofTxid(charge.txid).map((payment) => pixOf(bank, payment))
    return { ...toCobv(bank, charge), ...(pix.length > 0 && { pix }) }
  }

  app.put("/cobv/:txid", { config: { scope: "cobv.write" } }, async (request, reply) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...operation })
    const body = parseRequest(request.body, { schema: dueChargeRequest, ...operation })
    return reply.code(201).send(toCobv(bank, await requestCharge(bank, txid, body)))
  })

  app.patch("/cobv/:txid", { config: { scope: "cobv.write" } }, async (request) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...operation })
    const body = parseRequest(request.body, { schema: dueChargeRevision, ...operation })
    return toCobv(bank, await reviseCharge(bank, txid, body))
  })

  app.get("/cobv/:txid", { config: { scope: "cobv.read" } }, async (request) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...consultation })
    const { revisao } = parseRequest(request.query, { schema: revisionQuery, ...consultation })
    const charge = bank.dueCharges.findByTxid(txid)
    if (charge === undefined) throw notFound()
    const latest = charge.revisions.length - 1
    if ((revisao ?? latest) > latest) {
      const razao =
        "O parâmetro revisao corresponde a uma revisão inexistente para a cobrança apontada pelo parâmetro txid."
      throw new Problem("CobVConsultaInvalida", 400, invalidQuery, [{ razao, propriedade: "revisao" }])
    }
    return withPix({ ...charge, revisions: charge.revisions.slice(0, (revisao ?? latest) + 1) })
  })

  app.get("/cobv", { config: { scope: "cobv.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: chargeListQuery, ...consultation })
    const filter = { from: query.inicio, to: query.fim, status: query.status, cpf: query.cpf, cnpj: query.cnpj }
    // Every charge of this bank has a location, so charges without one are none.
    const isEmpty = query.locationPresente === false
    const total = isEmpty ? 0 : bank.dueCharges.count(filter)
    const { limit, offset } = pageOf(query)
    const charges = isEmpty ? [] : bank.dueCharges.page(filter, limit, offset)
    return { parametros: listParameters(query, total), cobs: charges.map(withPix) }
  })
}

/** An equal request is answered with the same charge; another one changes it, as the standard has it. */
async function requestCharge(bank: Bank, txid: string, request: DueChargeRequest): Promise<DueCharge> {
  return bank.books.write(() => {
    const existing = bank.dueCharges.findByTxid(txid)
    refuseNonsense(bank, request, existing?.createdAt ?? bank.clock.now())
    if (existing === undefined) return bank.dueCharges.insert(newCharge(bank, txid, request))
    if (JSON.stringify(latestOf(existing)) === JSON.stringify(request)) {
      refuseRepeated(bank, "CobVOperacaoInvalida", { ...occasionOfCharge(bank, txid), operation: "cobv" })
      return existing
    }
    const message = "A cobrança já existe, não está ATIVA, e a presente requisição busca alterá-la."
    if (existing.status !== "ATIVA") throw invalid(message, "cobv.txid")
    return revised(bank, existing, request)
  })
}

async function reviseCharge(bank: Bank, txid: string, { status, ...changes }: DueChargeRevision): Promise<DueCharge> {
  if (status !== undefined && Object.keys(changes).length > 0) {
    throw invalid("Não faz sentido remover uma cobrança juntamente com outras alterações.", "cobv.status")
  }
  return bank.books.write(() => {
    const charge = bank.dueCharges.findByTxid(txid)
    if (charge === undefined) throw notFound()
    if (charge.status !== "ATIVA") {
      throw invalid("A cobrança não está ATIVA, e a presente requisição busca alterá-la.", "cobv.status")
    }
    if (status !== undefined) {
      const removed = { ...charge, status }
      bank.dueCharges.update(removed)
      return removed
    }
    const latest = latestOf(charge)
    const next = { ...merged(latest, changes), valor: merged(latest.valor, changes.valor ?? {}) }
    refuseNonsense(bank, next, charge.createdAt)
    return revised(bank, charge, next)
  })
}

/** A revision leaves alone what it doesn't name; null removes. */
function merged<Fields extends object>(known: Fields, changes: object): Fields {
  const named = Object.entries({ ...known, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(named) as Fields
}

function revised(bank: Bank, charge: DueCharge, next: DueChargeRequest): DueCharge {
  const changed = { ...charge, revisions: [...charge.revisions, next] }
  bank.dueCharges.update(changed)
  return changed
}

/** Refuses well-formed fields that make no sense together. */
function refuseNonsense(bank: Bank, { calendario, valor, chave, loc }: DueChargeRequest, createdAt: number): void {
  if (chave !== bank.account.receiverKey) {
    throw invalid("O campo cobv.chave corresponde a uma conta que não pertence a este usuário recebedor.", "cobv.chave")
  }
  if (loc !== undefined) throw invalid("O location referenciado por cobv.loc.id inexiste.", "cobv.loc.id")
  if (calendario.dataDeVencimento < dayOf(createdAt)) {
    const razao = "O campo cobv.calendario.dataDeVencimento é anterior à data de criação da cobrança."
    throw invalid(razao, "cobv.calendario.dataDeVencimento")
  }
  const cents = (value: string) => centsFromValor(value) ?? 0
  const original = cents(valor.original)
  const isTooMuch = (value: string, isPercent: boolean) => cents(value) >= (isPercent ? 10_000 : original)
  const { abatimento, desconto } = valor
  if (abatimento !== undefined && isTooMuch(abatimento.valorPerc, abatimento.modalidade === 2)) {
    const razao =
      "O objeto cobv.valor.abatimento representa um valor maior ou igual ao valor da cobrança original ou maior ou igual a 100%."
    throw invalid(razao, "cobv.valor.abatimento")
  }
  const isPercent = desconto !== undefined && (desconto.modalidade === 2 || desconto.modalidade >= 5)
  const steps = desconto?.descontoDataFixa ?? []
  const values = [...steps.map(({ valorPerc }) => valorPerc), ...(desconto?.valorPerc ? [desconto.valorPerc] : [])]
  if (values.some((value) => isTooMuch(value, isPercent))) {
    const razao =
      "O objeto cobv.valor.desconto apresenta algum elemento de desconto que representa um valor maior ou igual ao valor da cobrança original ou maior ou igual a 100%."
    throw invalid(razao, "cobv.valor.desconto")
  }
  if (steps.some(({ data }) => data > calendario.dataDeVencimento)) {
    const razao =
      "O objeto cobv.valor.desconto apresenta algum elemento cuja data seja posterior à data de vencimento representada por calendario.dataDeVencimento."
    throw invalid(razao, "cobv.valor.desconto")
  }
}

function invalid(razao: string, propriedade: string): Problem {
  return new Problem("CobVOperacaoInvalida", 400, invalidCharge, [{ razao, propriedade }])
}

function notFound(): Problem {
  return new Problem("CobVNaoEncontrada", 404, "Cobrança com vencimento não encontrada para o txid informado.")
}

function newCharge({ account, clock }: Bank, txid: string, request: DueChargeRequest): Omit<DueCharge, "locationId"> {
  const location = `${account.locationBase}/qr/v2/cobv/${randomBytes(16).toString("hex")}`
  const { merchantName, merchantCity } = account
  // Without an amount: the payer's bank asks this one what the day's is.
  const pixCode = encodeDynamic({ url: location, merchantName, merchantCity })
  return { txid, status: "ATIVA", createdAt: clock.now(), location, pixCode, revisions: [request] }
}

/** Locations of both kinds are numbered apart. */
const FIRST_LOCATION = 1_000_000_000

const receiver = {
  cnpj: "00000000000191",
  logradouro: "Rua do Teste, 1",
  cidade: "SAO PAULO",
  uf: "SP",
  cep: "01001000",
}

function toCobv({ account }: Bank, charge: DueCharge) {
  const { txid, location } = charge
  const { calendario, devedor, valor, chave, solicitacaoPagador, infoAdicionais } = latestOf(charge)
  const criacao = new Date(charge.createdAt).toISOString()
  return {
    calendario: { criacao, ...calendario },
    txid,
    revisao: charge.revisions.length - 1,
    devedor,
    recebedor: { ...receiver, nome: account.merchantName },
    loc: { id: FIRST_LOCATION + charge.locationId, location, tipoCob: "cobv", criacao, txid },
    location,
    status: charge.status,
    valor,
    chave,
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais !== undefined && { infoAdicionais }),
    pixCopiaECola: charge.pixCode,
  }
}
