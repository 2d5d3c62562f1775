import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { listParameters, pageOf, paymentListQuery } from "./list-query.ts"
import { parseRequest } from "./parse-request.ts"
import { Problem } from "./problem.ts"
import { pixOf } from "./receive-payment.ts"

const invalidQuery =
  "Os parâmetros de consulta à lista de pix recebidos não respeitam o _schema_ ou não fazem sentido semanticamente."

const pixParams = z.object({ endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/) })
const consultation = { problem: "PixConsultaInvalida", detail: invalidQuery } as const

export function pixRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/pix/:endToEndId", { config: { scope: "pix.read" } }, async (request) => {
    const { endToEndId } = parseRequest(request.params, { schema: pixParams, ...consultation })
    const payment = bank.payments.find(endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    return pixOf(bank, payment)
  })

  app.get("/pix", { config: { scope: "pix.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: paymentListQuery, ...consultation })
    const { txid, txIdPresente: hasTxid, devolucaoPresente: hasRefund } = query
    const filter = { from: query.inicio, to: query.fim, txid, hasTxid, hasRefund }
    // This bank never reports the payer, so a filter by payer matches nothing.
    const isEmpty = query.cpf !== undefined || query.cnpj !== undefined
    const total = isEmpty ? 0 : bank.payments.count(filter)
    const { limit, offset } = pageOf(query)
    const payments = isEmpty ? [] : bank.payments.page(filter, limit, offset)
    return { parametros: listParameters(query, total), pix: payments.map((payment) => pixOf(bank, payment)) }
  })
}
