import { paymentStatusStream } from "@tilinta/contract/events"
import { paymentStatusEvent } from "@tilinta/contract/vocabulary/events"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Logger } from "pino"
import type { Events } from "#events/events"
import { createStreamSlots, type EventStreams, serveEventStreams } from "#http/event-streams"
import type { Clock } from "#kit/clock"
import { networkOf } from "#kit/outside"
import type { PayerTokens } from "#kit/secrets"
import { isOverloaded } from "#kit/waiting-line"
import { getPaymentStatus } from "./find.ts"
import type { PaymentStatuses } from "./statuses.ts"
import { requirePayer } from "./views.ts"

interface Deps {
  paymentStatuses: PaymentStatuses
  clock: Clock
  events: Events
  log: Logger
  payerTokens: PayerTokens
}

/** After a refusal: whoever polls meanwhile reads the change sooner. */
const againMs = 1_000

/** Enough for an office or a carrier's shared address; whoever comes later polls. */
const STREAMS_PER_ADDRESS = 200

/** Sends the status at once, and again whenever it changes. The stream only makes polling faster. */
export async function paymentStreamRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const streams = serveEventStreams(app)
  const places = createStreamSlots(STREAMS_PER_ADDRESS)
  app.get<{ Params: { transactionId: string }; Querystring: { k?: unknown } }>(
    paymentStatusStream.path,
    { exposeHeadRoute: false },
    async (request, reply) => {
      requirePayer(deps.payerTokens, request.params.transactionId, request.query.k)
      const leave = places.take(networkOf(request.ip))
      await streamStatus({ ...deps, streams }, { id: request.params.transactionId, leave }, reply)
    },
  )
}

/** Subscribes before it reads, so that no change is missed in between. */
async function streamStatus(
  deps: Deps & { streams: EventStreams },
  { id, leave }: { id: string; leave: () => void },
  reply: FastifyReply,
): Promise<void> {
  let notify = () => void (hasChanged = true)
  let hasChanged = false
  let again: NodeJS.Timeout | undefined
  const unsubscribe = deps.events.onCharge(id, () => notify())
  const stop = () => {
    clearTimeout(again)
    unsubscribe()
    leave()
  }
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
      if (isOverloaded(error)) again = setTimeout(notify, againMs * (1 + Math.random())).unref()
      else deps.log.warn({ err: error }, "a payment stream missed an event")
    }
  }
}
