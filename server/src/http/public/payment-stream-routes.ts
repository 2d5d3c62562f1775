import { fastifySSE } from "@fastify/sse"
import { paymentStatusEvent } from "@tilinta/contract/vocabulary/events"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { getPaymentStatus } from "#domain/charges/find-charge"
import type { Events } from "#events/events"
import type { Clock } from "#kit/clock"

interface Deps {
  db: Db
  clock: Clock
  events: Events
  log: Logger
}

const HEARTBEAT_MS = 20_000

/** The status at once, and again whenever it changes. The stream only makes the polling faster. */
export async function paymentStreamRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(fastifySSE, { heartbeatInterval: HEARTBEAT_MS })
  const open = new Set<FastifyReply>()
  app.addHook("preClose", async () => {
    for (const reply of open) reply.sse.close()
  })
  app.get<{ Params: { transactionId: string } }>(
    "/api/v1/checkout/payment-status/:transactionId/stream",
    { sse: "only", schema: streamSchema, exposeHeadRoute: false },
    async (request, reply) => {
      const id = request.params.transactionId
      const status = await getPaymentStatus(deps, id)
      reply.sse.keepAlive()
      open.add(reply)
      const stop = deps.events.onCharge(id, () => void tell())
      reply.sse.onClose(() => {
        open.delete(reply)
        stop()
      })
      await send(reply, status)
      // What changed between the reading and the listening.
      await tell(status)

      async function tell(known?: PayerStatus): Promise<void> {
        try {
          const now = await getPaymentStatus(deps, id)
          if (now !== known && reply.sse.isConnected) await send(reply, now)
        } catch (error) {
          deps.log.warn({ err: error }, "a payment stream missed an event")
        }
      }
    },
  )
}

const streamSchema = {
  tags: ["Pagamento"],
  summary: "Situação de um Pix, ao vivo (text/event-stream, evento `status`)",
} as object

async function send(reply: FastifyReply, status: PayerStatus): Promise<void> {
  await reply.sse.send({ event: paymentStatusEvent, data: { status } })
}
