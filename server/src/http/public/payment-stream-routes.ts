import { paymentStatusEvent } from "@tilinta/contract/vocabulary/events"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Logger } from "pino"
import { getPaymentStatus } from "#domain/selling/charges/find-charge"
import type { PaymentStatuses } from "#domain/selling/charges/payment-statuses"
import type { Events } from "#events/events"
import { type EventStreams, serveEventStreams } from "#http/event-streams"
import type { Clock } from "#kit/clock"

interface Deps {
  paymentStatuses: PaymentStatuses
  clock: Clock
  events: Events
  log: Logger
}

/** Sends the status at once, and again whenever it changes. The stream only makes polling faster. */
export async function paymentStreamRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const streams = serveEventStreams(app)
  app.get<{ Params: { transactionId: string } }>(
    "/api/v1/checkout/payment-status/:transactionId/stream",
    { schema: streamSchema, exposeHeadRoute: false },
    async (request, reply) => streamStatus({ ...deps, streams }, request.params.transactionId, reply),
  )
}

const streamSchema = {
  tags: ["Pagamento"],
  summary: "Situação de um Pix, ao vivo (text/event-stream, evento `status`)",
} as object

/** Subscribes before it reads, so that no change is missed in between. */
async function streamStatus(deps: Deps & { streams: EventStreams }, id: string, reply: FastifyReply): Promise<void> {
  let notify = () => void (hasChanged = true)
  let hasChanged = false
  const stop = deps.events.onCharge(id, () => notify())
  let known: PayerStatus
  try {
    known = await getPaymentStatus(deps, id)
  } catch (error) {
    stop()
    throw error
  }
  const stream = deps.streams.open(reply, stop)
  stream.send(paymentStatusEvent, { status: known })
  notify = () => void sendChange()
  if (hasChanged) notify()

  async function sendChange(): Promise<void> {
    try {
      const status = await getPaymentStatus(deps, id)
      if (status === known) return
      known = status
      stream.send(paymentStatusEvent, { status })
    } catch (error) {
      deps.log.warn({ err: error }, "a payment stream missed an event")
    }
  }
}
