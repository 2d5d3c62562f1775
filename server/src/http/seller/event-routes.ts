import { listEventsEndpoint } from "@tilinta/contract/api/events-endpoints"
import type { FastifyInstance } from "fastify"
import { numberBefore, readEvents } from "#domain/integrations/event-feed/read-events"
import type { HttpDeps } from "#http/deps"
import { toEventView } from "#http/event-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { createLongPolls } from "./long-polls.ts"
import { sellerOf } from "./session-of.ts"

export function eventRoutes(app: FastifyInstance, { db, events }: Pick<HttpDeps, "db" | "events">): void {
  const polls = createLongPolls(app, events)

  serveEndpoint(app, listEventsEndpoint, async ({ query, request, reply }) => {
    const { wait, limit, types } = query
    const sellerId = sellerOf(request).id
    // Once: a request that waits must not move on with the end.
    const after = query.last === 0 ? query.after : await numberBefore(db, { sellerId, last: query.last })
    const read = () => readEvents(db, { sellerId, after, limit, types })
    const isWorthTelling = (found: Awaited<ReturnType<typeof read>>) => found.events.length > 0 || found.hasMore
    const found = await (wait === 0 ? read() : polls.answer({ sellerId, seconds: wait, reply, read, isWorthTelling }))
    return { events: found.events.map(toEventView), hasMore: found.hasMore, next: found.next }
  })
}
