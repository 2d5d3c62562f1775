import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor } from "./cents.ts"
import { disputeSituations } from "./dispute-book.ts"
import { closeDispute, openDispute } from "./dispute-payment.ts"
import { toInfracao } from "./dispute-view.ts"
import { PaymentRefused } from "./pay-code.ts"
import { Problem } from "./problem.ts"
import { bodyOf } from "./request-refused.ts"

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
