import { transactionsStream } from "@tilinta/contract/api/streams"
import { sellerReadyEvent, sellerTransactionsEvent } from "@tilinta/contract/vocabulary/events"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { authenticate } from "#domain/people/sessions/authenticate"
import type { Events } from "#events/events"
import { bearerTokenOf } from "#http/bearer-token"
import { type EventStream, serveEventStreams } from "#http/event-streams"
import { createStreamSlots } from "#http/stream-slots"
import type { Clock } from "#kit/clock"
import { createChangeFeed } from "./change-feed.ts"
import { sellerOf } from "./session-of.ts"

interface Deps {
  db: Db
  clock: Clock
  events: Events
  log: Logger
}

const SESSION_CHECK_MS = 60_000
const STREAMS_PER_USER = 8

/** Changes of the seller's transactions while the session lives. Without it lists are still right, only later. */
export async function sellerStreamRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const streams = serveEventStreams(app)
  const places = createStreamSlots(STREAMS_PER_USER)
  app.get(transactionsStream.path, { exposeHeadRoute: false }, async (request, reply) => {
    const leave = places.take(sellerOf(request).id)
    let stopListening: () => void = () => undefined
    const stream = streams.open(reply, () => {
      leave()
      stopListening()
    })
    if (reply.raw.destroyed) return
    stopListening = listen(deps, request, stream)
    stream.send(sellerReadyEvent, {})
  })
}

/** Reports changes until the returned function is called, and ends with the session. */
function listen({ events, log, ...deps }: Deps, request: FastifyRequest, stream: EventStream): () => void {
  const sellerId = sellerOf(request).id
  const token = bearerTokenOf(request) ?? ""
  const feed = createChangeFeed(deps, {
    sellerId,
    send: async (changed) => stream.send(sellerTransactionsEvent, changed),
    onFailure: (error) => log.warn({ err: error }, "a seller's stream missed an event"),
  })

  async function endWithSession(): Promise<void> {
    try {
      if ((await authenticate(deps, { token, address: request.ip })) === null) stream.close()
    } catch (error) {
      log.warn({ err: error }, "a seller's stream could not check its session")
    }
  }

  const stops = [events.onSeller(sellerId, feed.add), events.onSessionsOf(sellerId, () => void endWithSession())]
  const check = setInterval(() => void endWithSession(), SESSION_CHECK_MS)
  return () => {
    clearInterval(check)
    feed.stop()
    for (const stop of stops) stop()
  }
}
