import {
  type DestinationView,
  listDestinationsEndpoint,
  removeDestinationEndpoint,
} from "@tilinta/contract/api/destinations-endpoints"
import type { FastifyInstance } from "fastify"
import { listDestinations } from "#domain/money/destinations/list-destinations"
import { removeDestination } from "#domain/money/destinations/remove-destination"
import type { HttpDeps } from "#http/deps"
import { serveEndpoint } from "#http/serve-endpoint"
import { actorOf, sellerOf } from "./session-of.ts"

export function destinationRoutes(app: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock" | "protection">): void {
  serveEndpoint(app, listDestinationsEndpoint, async ({ request }) => {
    const list = await listDestinations(deps, sellerOf(request).id)
    return {
      destinations: list.destinations.map(toDestinationView),
      newDestinationHours: list.newDestinationHours,
      heldUntil: list.heldUntil?.toISOString() ?? null,
      frozenAt: list.frozenAt?.toISOString() ?? null,
    }
  })

  serveEndpoint(app, removeDestinationEndpoint, async ({ params, request }) => {
    await removeDestination(deps, { id: params.id, seller: actorOf(request) })
  })
}

type Listed = Awaited<ReturnType<typeof listDestinations>>["destinations"][number]

function toDestinationView({ destination, ...listed }: Listed): DestinationView {
  const pixKey = destination.method === "pix" ? destination.pixKey : null
  return {
    _id: listed.id,
    paymentMethod: destination.method,
    pixKey: pixKey?.key ?? null,
    pixKeyType: pixKey?.kind ?? null,
    bankData: destination.method === "bank_transfer" ? destination.bankData : null,
    firstUsedAt: listed.firstUsedAt.toISOString(),
    lastUsedAt: listed.lastUsedAt.toISOString(),
    confirmedBy: listed.confirmedBy,
    heldUntil: listed.heldUntil?.toISOString() ?? null,
  }
}
