import { logoutEndpoint } from "@tilinta/contract/auth"
import { transactionsStream } from "@tilinta/contract/events"
import { endMyOtherSessionsEndpoint, endMySessionEndpoint, listMySessionsEndpoint } from "@tilinta/contract/sessions"
import { sellerReadyEvent, sellerTransactionsEvent } from "@tilinta/contract/vocabulary/events"
import { bookReaders } from "@tilinta/contract/vocabulary/team"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import type { Events } from "#events/events"
import { createStreamSlots, type EventStream, serveEventStreams } from "#http/event-streams"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { findActing } from "#people/team/acting"
import { createChangeFeed } from "#selling/charges/routes"
import { authenticate, listSessions } from "./authenticate.ts"
import { actorOf, bearerTokenOf, sellerOf } from "./caller.ts"
import { closeSession, endOtherSessions, endSession } from "./sessions.ts"

export function sessionRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMySessionsEndpoint, async ({ request }) => {
    const sessions = await listSessions(deps, sellerOf(request), bearerTokenOf(request) ?? "")
    return {
      sessions: sessions.map(({ id, createdAt, lastUsedAt, address, lastAddress, userAgent, isOwn }) => ({
        _id: id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        address,
        lastAddress,
        userAgent,
        current: isOwn,
      })),
    }
  })

  serveEndpoint(app, endMySessionEndpoint, async ({ params, request }) => {
    await endSession(deps, { id: params.id, owner: actorOf(request) })
  })

  serveEndpoint(app, endMyOtherSessionsEndpoint, async ({ request }) => {
    await endOtherSessions(deps, actorOf(request), bearerTokenOf(request) ?? "")
  })
}

export function logoutRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, logoutEndpoint, async ({ request }) => {
    await closeSession(deps, { owner: actorOf(request), token: bearerTokenOf(request) ?? "" })
    return { message: "Você saiu da sua conta" }
  })
}

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
  app.get(
    transactionsStream.path,
    { exposeHeadRoute: false, config: { whileFrozen: true, roles: bookReaders } },
    async (request, reply) => {
      const leave = places.take(sellerOf(request).person.id)
      let stopListening: () => void = () => undefined
      const stream = streams.open(reply, () => {
        leave()
        stopListening()
      })
      if (reply.raw.destroyed) return
      stopListening = listen(deps, request, stream)
      stream.send(sellerReadyEvent, {})
    },
  )
}

/** Reports changes until the returned function is called, and ends with the session, or with the person's place in the shop. */
function listen({ events, log, ...deps }: Deps, request: FastifyRequest, stream: EventStream): () => void {
  const { id: sellerId, person } = sellerOf(request)
  const token = bearerTokenOf(request) ?? ""
  const feed = createChangeFeed(deps, {
    sellerId,
    send: async (changed) => stream.send(sellerTransactionsEvent, changed),
    onFailure: (error) => log.warn({ err: error }, "a seller's stream missed an event"),
  })

  async function endWithSession(): Promise<void> {
    try {
      const user = await authenticate(deps, { token, address: request.ip })
      const isLetIn =
        user !== null && (await findActing(deps.db, user, { shopId: sellerId, roles: bookReaders })) !== null
      if (!isLetIn) stream.close()
    } catch (error) {
      log.warn({ err: error }, "a seller's stream could not check its session")
    }
  }

  const check = () => void endWithSession()
  const stops = [events.onSeller(sellerId, feed.add), events.onSessionsOf(sellerId, check)]
  if (person.id !== sellerId) stops.push(events.onSessionsOf(person.id, check))
  const timer = setInterval(check, SESSION_CHECK_MS)
  return () => {
    clearInterval(timer)
    feed.stop()
    for (const stop of stops) stop()
  }
}
