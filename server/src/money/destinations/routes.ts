import {
  type DestinationView,
  listDestinationsEndpoint,
  removeDestinationEndpoint,
  sayDestinationOwnerEndpoint,
} from "@tilinta/contract/destinations"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { pendingWriter } from "#people/second-approvals/routes"
import { actorOf, adminOf, sellerOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { listDestinations, removeDestination } from "./manage.ts"
import { sayOwner } from "./owner.ts"

export function destinationRoutes(app: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock" | "protection">): void {
  serveEndpoint(app, listDestinationsEndpoint, async ({ request }) => {
    const list = await listDestinations(deps, sellerOf(request).id)
    return {
      destinations: list.destinations.map(toDestinationView),
      newDestinationHours: list.newDestinationHours,
      heldUntil: list.heldUntil?.toISOString() ?? null,
      frozenAt: list.frozenAt?.toISOString() ?? null,
      paidWithin: list.paidWithin,
    }
  })

  serveEndpoint(app, removeDestinationEndpoint, async ({ params, request }) => {
    await removeDestination(deps, { id: params.id, seller: actorOf(request) })
  })
}

const ownerTexts = {
  confirmed_by_person: "Anotado: o destino é do vendedor.",
  other: "Anotado: o destino é de outra pessoa.",
  unknown: "Anotado: não se sabe de quem é o destino.",
} as const

export function adminDestinationRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "protection" | "nameUsers">,
): void {
  const pendingOf = pendingWriter(deps.nameUsers)
  serveEndpoint(app, sayDestinationOwnerEndpoint, async ({ params, body, request }) => {
    const word = { ...body, sellerId: params.id, id: params.destinationId, admin: adminOf(request) }
    const { owner, waits } = await sayOwner(deps, word)
    const message = waits === null ? ownerTexts[body.owner] : "Anotado. Vale quando outro administrador disser o mesmo."
    return { message, data: { owner, ...(await pendingOf(waits)) } }
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
    owner: listed.owner,
  }
}
