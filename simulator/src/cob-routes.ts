import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import type { Charge } from "./charge-book.ts"
import { chargeRequest, chargeRevision, invalidCharge } from "./charge-request.ts"
import { toCob, toCobWithPix } from "./charge-view.ts"
import { chargeListQuery, listParameters, pageOf } from "./list-query.ts"
import { parseRequest } from "./parse-request.ts"
import { randomAlphanumerics } from "./random-text.ts"
import { pixOf } from "./receive-payment.ts"
import { chargeNotFound, requestCharge, reviseCharge } from "./request-charge.ts"

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
    return {
      parametros: listParameters(query, total),
      cobs: charges.map(withPix),
    }
  })
}
