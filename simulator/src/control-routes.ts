import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { valorFromCents } from "./cents.ts"
import { newEndToEndId } from "./end-to-end-id.ts"
import { faultKinds } from "./fault-kinds.ts"
import { newFaultRule } from "./fault-rules.ts"
import { faultSwitches } from "./faults.ts"
import { returnPaidPayout } from "./payout-return.ts"
import { toPayout } from "./payout-view.ts"
import { toDevolucao } from "./refund-view.ts"
import { releasePayout, releaseRefund } from "./release-outcome.ts"
import { bodyOf, RequestRefused } from "./request-refused.ts"

const year = 366 * 86_400_000

const clockChange = z.union([
  z.strictObject({ avancarMs: z.int().min(1).max(year) }),
  z.strictObject({ adiantadoMs: z.int().min(0).max(year) }),
])

const forgery = z.strictObject({
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  centavos: z.int().min(1).max(999_999_999).default(100),
})

const decision = z.union([
  z.strictObject({ idEnvio: z.string(), recusado: z.boolean().default(false) }),
  z.strictObject({ endToEndId: z.string(), id: z.string(), recusado: z.boolean().default(false) }),
])

const accountEntry = z.strictObject({ centavos: z.int().min(-999_999_999).max(999_999_999) })

const sendBack = z.strictObject({ idEnvio: z.string(), centavos: z.int().min(1).optional() })

const numberedParams = z.object({ id: z.coerce.number().int() })

/** Controls for making the bank misbehave; the simulator's own, for this machine only. */
export function controlRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/controle", async () => bank.faults.current())

  app.put("/controle", async (request) => {
    const changes = faultSwitches.partial().safeParse(request.body)
    if (!changes.success) throw new RequestRefused(400, `Controle inválido: ${z.prettifyError(changes.error)}`)
    const defined = Object.fromEntries(Object.entries(changes.data).filter(([, value]) => value !== undefined))
    return bank.books.write(() => {
      const switches = bank.faults.change(defined)
      if (!switches.webhooksAtivos) bank.webhooks.forgetOwed(bank.clock.now())
      return switches
    })
  })

  faultRoutes(app, bank)
  clockRoutes(app, bank)
  noticeRoutes(app, bank)
  entryRoutes(app, bank)
  outcomeRoutes(app, bank)
}

function faultRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/controle/tipos", async () => ({
    tipos: Object.entries(faultKinds).map(([tipo, described]) => ({ tipo, ...described })),
  }))

  app.get("/controle/falhas", async () => ({ falhas: bank.faultRules.all() }))

  app.post("/controle/falhas", async (request, reply) => {
    const rule = bodyOf(request, newFaultRule)
    return reply.code(201).send(await bank.books.write(() => bank.faultRules.add(rule)))
  })

  app.delete("/controle/falhas", async (_request, reply) => {
    await bank.books.write(() => bank.faultRules.clear())
    return reply.code(204).send()
  })

  app.delete("/controle/falhas/:id", async (request, reply) => {
    const { id } = numberedParams.parse(request.params)
    if (!(await bank.books.write(() => bank.faultRules.remove(id))))
      throw new RequestRefused(404, "Esta falha não existe.")
    return reply.code(204).send()
  })
}

function clockRoutes(app: FastifyInstance, bank: Bank): void {
  const clock = () => ({ agora: new Date(bank.clock.now()).toISOString(), adiantadoMs: bank.clock.aheadMs() })

  app.get("/controle/relogio", async () => clock())

  app.put("/controle/relogio", async (request) => {
    const change = bodyOf(request, clockChange)
    const aheadMs = "avancarMs" in change ? bank.clock.aheadMs() + change.avancarMs : change.adiantadoMs
    await bank.books.write(() => bank.clock.setAhead(aheadMs))
    bank.delivery.wake()
    return clock()
  })
}

/** Moves the account by what no list of Pix shows: a tariff, a TED, a yield. */
function entryRoutes(app: FastifyInstance, bank: Bank): void {
  const insert = bank.books.db.prepare("INSERT INTO account_entries (amountCents, bookedAt) VALUES (?, ?)")
  app.post("/controle/lancamentos", async (request, reply) => {
    const { centavos } = bodyOf(request, accountEntry)
    await bank.books.write(() => insert.run(centavos, bank.clock.now()))
    return reply.code(201).send({})
  })
}

function noticeRoutes(app: FastifyInstance, bank: Bank): void {
  app.post("/controle/avisos/:id/reenvios", async (request, reply) => {
    const { id } = numberedParams.parse(request.params)
    const isThere = await bank.books.write(() => bank.webhooks.resend(id, bank.clock.now()))
    if (!isThere) throw new RequestRefused(404, "Este aviso não existe.")
    bank.delivery.wake()
    return reply.code(202).send({})
  })

  /** Sends a forged notice of a payment that never happened. */
  app.post("/controle/avisos", async (request, reply) => {
    const { txid, centavos } = bodyOf(request, forgery)
    const { receiverKey } = bank.account
    if (bank.webhooks.find(receiverKey) === undefined) throw new RequestRefused(404, "Ninguém registrou um webhook.")
    const now = bank.clock.now()
    const pix = {
      endToEndId: newEndToEndId(now),
      ...(txid !== undefined && { txid }),
      valor: valorFromCents(centavos),
      chave: receiverKey,
      horario: new Date(now).toISOString(),
    }
    await bank.books.write(() => bank.webhooks.owe({ receiverKey, body: JSON.stringify({ pix: [pix] }), now }))
    bank.delivery.wake()
    return reply.code(201).send(pix)
  })
}

function outcomeRoutes(app: FastifyInstance, bank: Bank): void {
  app.post("/controle/envios-devolvidos", async (request) => {
    const { idEnvio, centavos } = bodyOf(request, sendBack)
    const payout = await returnPaidPayout(bank, idEnvio, centavos)
    if (payout !== undefined) return toPayout(payout, bank.clock.now())
    throw new RequestRefused(404, "Nenhum envio realizado com este identificador pode voltar.")
  })

  app.post("/controle/desfechos", async (request) => {
    const decided = bodyOf(request, decision)
    if ("idEnvio" in decided) {
      const payout = await releasePayout(bank, decided.idEnvio, decided.recusado)
      if (payout !== undefined) return toPayout(payout, bank.clock.now())
    } else {
      const refund = await releaseRefund(
        bank,
        { endToEndId: decided.endToEndId, refundId: decided.id },
        decided.recusado,
      )
      if (refund !== undefined) return toDevolucao(refund, bank.clock.now())
    }
    throw new RequestRefused(404, "Nada está em processamento com este identificador.")
  })
}
