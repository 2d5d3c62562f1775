import type { FastifyInstance, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { valorFromCents } from "./books.ts"
import { playDebits } from "./debits.ts"
import { faultKinds } from "./fault-kinds.ts"
import { faultSwitches, newFaultRule } from "./faults.ts"
import { bodyOf, RequestRefused } from "./occasions.ts"
import type { MayControl } from "./open-to.ts"
import type { Payout } from "./payout-books.ts"
import { notifyPayout, payoutRefusal, returnPaidPayout } from "./payouts.ts"
import type { Refund } from "./refund-books.ts"
import { notifyRefund, refundRefusal } from "./refunds.ts"
import { newEndToEndId, toDevolucao, toPayout } from "./views.ts"

const threeYears = 3 * 366 * 86_400_000

const clockChange = z.union([
  z.strictObject({ avancarMs: z.int().min(1).max(threeYears) }),
  z.strictObject({ adiantadoMs: z.int().min(0).max(threeYears) }),
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
    await playDebits(bank)
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

export function guardControl(mayControl: MayControl) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!mayControl(request)) throw new RequestRefused(403, "O controle do simulador só atende esta máquina.")
  }
}

/** Settles a payout or refund that is under way, either way. Undefined when none of that name is under way. */
async function releasePayout(bank: Bank, sendId: string, isRefused: boolean): Promise<Payout | undefined> {
  const released = await bank.books.write(() => {
    const now = bank.clock.now()
    const payout = bank.payouts.find(sendId)
    if (payout === undefined || payout.settlesAt <= now) return undefined
    const settled = { ...payout, settlesAt: now, refusal: isRefused ? payoutRefusal : null }
    bank.payouts.settle(settled)
    notifyPayout(bank, settled)
    return settled
  })
  bank.delivery.wake()
  return released
}

async function releaseRefund(
  bank: Bank,
  { endToEndId, refundId }: Pick<Refund, "endToEndId" | "refundId">,
  isRefused: boolean,
): Promise<Refund | undefined> {
  const released = await bank.books.write(() => {
    const now = bank.clock.now()
    const payment = bank.payments.find(endToEndId)
    const refund = bank.refunds.find(endToEndId, refundId)
    if (payment === undefined || refund === undefined || refund.settlesAt <= now) return undefined
    const settled = { ...refund, settlesAt: now, refusal: isRefused ? refundRefusal : null }
    bank.refunds.settle(settled)
    notifyRefund(bank, payment, settled)
    return settled
  })
  bank.delivery.wake()
  return released
}
