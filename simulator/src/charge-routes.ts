import { randomBytes } from "node:crypto"
import { encodeDynamic } from "@tilinta/brcode/encode"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Account, Bank } from "./bank.ts"
import { centsFromValor, randomAlphanumerics } from "./books.ts"
import {
  type Charge,
  type ChargeRequest,
  type ChargeRevision,
  chargeRequest,
  chargeRevision,
  definedDetails,
  invalidCharge,
  invalidChargeProblem,
  refuseForeignParts,
} from "./charge-books.ts"
import { occasionOfCharge, refuseRepeated } from "./occasions.ts"
import { pixOf } from "./payments.ts"
import { chargeListQuery, listParameters, Problem, pageOf, parseRequest } from "./problem.ts"
import { toCob, toCobWithPix } from "./views.ts"

const invalidQuery =
  "Os parâmetros de consulta à lista de cobranças para pagamento imediato não respeitam o _schema_ ou não fazem sentido semanticamente."

const txidParams = z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })
const revisionQuery = z.object({ revisao: z.coerce.number().int().min(0).optional() })

const operation = { problem: "CobOperacaoInvalida", detail: invalidCharge, prefix: "cob" } as const
const consultation = { problem: "CobConsultaInvalida", detail: invalidQuery } as const

export function cobRoutes(app: FastifyInstance, bank: Bank): void {
  const withPix = (charge: Charge) =>
    toCobWithPix(
      charge,
      bank.payments.ofTxid(charge.txid).map((payment) => pixOf(bank, payment)),
    )

  app.put("/cob/:txid", { config: { scope: "cob.write" } }, async (request, reply) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...operation })
    const body = parseRequest(request.body, { schema: chargeRequest, ...operation })
    return reply.code(201).send(toCob(await requestCharge(bank, txid, body)))
  })

  /** The bank chooses the txid, so that nothing can be repeated safely: real clients use it all the same. */
  app.post("/cob", { config: { scope: "cob.write" } }, async (request, reply) => {
    const body = parseRequest(request.body, { schema: chargeRequest, ...operation })
    return reply.code(201).send(toCob(await requestCharge(bank, randomAlphanumerics(32), body)))
  })

  app.patch("/cob/:txid", { config: { scope: "cob.write" } }, async (request) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...operation })
    const body = parseRequest(request.body, { schema: chargeRevision, ...operation })
    return toCob(await reviseCharge(bank, txid, body))
  })

  app.get("/cob/:txid", { config: { scope: "cob.read" } }, async (request) => {
    const { txid } = parseRequest(request.params, { schema: txidParams, ...consultation })
    const { revisao } = parseRequest(request.query, { schema: revisionQuery, ...consultation })
    const charge = bank.charges.findByTxid(txid)
    if (charge === undefined || (revisao ?? charge.revision) !== charge.revision) throw chargeNotFound()
    return withPix(charge)
  })

  app.get("/cob", { config: { scope: "cob.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: chargeListQuery, ...consultation })
    const filter = { from: query.inicio, to: query.fim, status: query.status, cpf: query.cpf, cnpj: query.cnpj }
    // Every charge of this bank has a location, so charges without one are none.
    const isEmpty = query.locationPresente === false
    const total = isEmpty ? 0 : bank.charges.count(filter)
    const { limit, offset } = pageOf(query)
    const charges = isEmpty ? [] : bank.charges.page(filter, limit, offset)
    return { parametros: listParameters(query, total), cobs: charges.map(withPix) }
  })
}

/**
 * PUT /cob/{txid}. Idempotent: clients repeat it after a timeout, and an equal request is answered with the same
 * charge.
 */
async function requestCharge(bank: Bank, txid: string, request: ChargeRequest): Promise<Charge> {
  refuseForeignParts(request, bank.account.receiverKey)
  const requested = JSON.stringify(request)
  return bank.books.write(() => {
    const existing = bank.charges.findByTxid(txid)
    if (existing === undefined) return bank.charges.insert(newCharge(bank, txid, request, requested))
    if (existing.requested === requested) {
      refuseRepeated(bank, "CobOperacaoInvalida", { ...occasionOfCharge(bank, txid), operation: "cob" })
      return existing
    }
    throw invalidChargeProblem("O campo cob.txid encontra-se em uso por uma cobrança com outros dados.", "cob.txid")
  })
}

/** PATCH /cob/{txid}. */
async function reviseCharge(bank: Bank, txid: string, revision: ChargeRevision): Promise<Charge> {
  refuseForeignParts(revision, bank.account.receiverKey)
  const { status, ...changes } = revision
  if (status !== undefined && Object.keys(changes).length > 0) {
    throw invalidChargeProblem("Não faz sentido remover uma cobrança juntamente com outras alterações.", "cob.status")
  }
  return bank.books.write(() => {
    const charge = bank.charges.findByTxid(txid)
    if (charge === undefined) throw chargeNotFound()
    if (charge.status !== "ATIVA") {
      throw new Problem("CobOperacaoInvalida", 400, "Somente cobranças com o status ATIVA podem ser revisadas.")
    }
    const revised = revisedCharge(bank.account, charge, revision)
    bank.charges.update(revised)
    return revised
  })
}

function chargeNotFound(): Problem {
  return new Problem("CobNaoEncontrado", 404, "Cobrança não encontrada para o txid informado.")
}

function newCharge(
  { account, clock }: Bank,
  txid: string,
  request: ChargeRequest,
  requested: string,
): Omit<Charge, "locationId"> {
  const location = `${account.locationBase}/qr/v2/${randomBytes(16).toString("hex")}`
  const amountCents = amountOf(request.valor.original)
  return {
    txid,
    status: "ATIVA",
    revision: 0,
    createdAt: clock.now(),
    lifetimeSeconds: request.calendario.expiracao,
    amountCents,
    receiverKey: request.chave,
    location,
    pixCode: pixCodeOf(account, location, amountCents),
    details: definedDetails(request),
    requested,
  }
}

function revisedCharge(
  account: Account,
  charge: Charge,
  { status, valor, calendario, ...rest }: ChargeRevision,
): Charge {
  const amountCents = valor === undefined ? charge.amountCents : amountOf(valor.original)
  return {
    ...charge,
    status: status ?? charge.status,
    revision: charge.revision + 1,
    lifetimeSeconds: calendario?.expiracao ?? charge.lifetimeSeconds,
    amountCents,
    pixCode: amountCents === charge.amountCents ? charge.pixCode : pixCodeOf(account, charge.location, amountCents),
    details: { ...charge.details, ...definedDetails(rest) },
  }
}

function amountOf(valor: string): number {
  const amountCents = centsFromValor(valor)
  if (amountCents === undefined) throw new Problem("CobOperacaoInvalida", 400, invalidCharge)
  return amountCents
}

function pixCodeOf({ merchantName, merchantCity }: Account, url: string, amountCents: number): string {
  return encodeDynamic({ url, merchantName, merchantCity, amountCents })
}
