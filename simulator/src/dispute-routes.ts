import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { defendDispute } from "./dispute-payment.ts"
import { toInfracao } from "./dispute-view.ts"
import { disputeListQuery, listParameters, pageOf } from "./list-query.ts"
import { parseRequest } from "./parse-request.ts"

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
