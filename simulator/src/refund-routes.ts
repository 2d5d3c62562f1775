import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor } from "./cents.ts"
import { parseRequest } from "./parse-request.ts"
import { Problem } from "./problem.ts"
import { refundPayment } from "./refund-payment.ts"
import { toDevolucao } from "./refund-view.ts"

const invalidRefund = "A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente."

const refundParams = z.object({
  endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
})
const refundRequest = z.object({
  valor: z.string().refine((valor) => (centsFromValor(valor) ?? 0) > 0, "O campo devolucao.valor não é positivo."),
  natureza: z.literal("ORIGINAL").default("ORIGINAL"),
  descricao: z.string().max(140).optional(),
})

const operation = { problem: "PixDevolucaoInvalida", detail: invalidRefund, prefix: "devolucao" } as const

export function refundRoutes(app: FastifyInstance, bank: Bank): void {
  app.put("/pix/:endToEndId/devolucao/:id", { config: { scope: "pix.write" } }, async (request, reply) => {
    const { endToEndId, id } = parseRequest(request.params, { schema: refundParams, ...operation })
    const { valor, natureza, descricao } = parseRequest(request.body, { schema: refundRequest, ...operation })
    const refund = await refundPayment(bank, {
      endToEndId,
      refundId: id,
      amountCents: centsFromValor(valor) ?? 0,
      nature: natureza,
      payerNote: descricao ?? null,
    })
    return reply.code(201).send(toDevolucao(refund, bank.clock.now()))
  })

  app.get("/pix/:endToEndId/devolucao/:id", { config: { scope: "pix.read" } }, async (request) => {
    const { endToEndId, id } = parseRequest(request.params, { schema: refundParams, ...operation })
    const refund = bank.refunds.find(endToEndId, id)
    if (refund === undefined) {
      throw new Problem("PixDevolucaoNaoEncontrada", 404, "Devolução não encontrada para o e2eid informado.")
    }
    return toDevolucao(refund, bank.clock.now())
  })
}
