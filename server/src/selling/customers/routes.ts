import {
  archiveCustomerEndpoint,
  createCustomerEndpoint,
  getCustomerEndpoint,
  listCustomersEndpoint,
  updateCustomerEndpoint,
} from "@tilinta/contract/customers"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { registerCustomer, updateCustomer } from "./manage.ts"
import { listCustomers, readCustomer } from "./reads.ts"
import { customerFieldsFrom } from "./rules.ts"
import { toCustomerView } from "./views.ts"

export function customerRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, createCustomerEndpoint, async ({ body, request }) => {
    const input = {
      seller: actorOf(request),
      fields: customerFieldsFrom(body),
      idempotencyKey: idempotencyKeyOf(request),
    }
    return { customer: toCustomerView(await registerCustomer(deps, input)) }
  })

  serveEndpoint(app, listCustomersEndpoint, async ({ query, request }) => {
    const { status, search, externalReference } = query
    const filter = { sellerId: sellerOf(request).id, status, search, externalReference, ...rangeOf(query) }
    const { customers, results } = await listCustomers(deps.db, filter)
    return { results, data: { customers: customers.map(toCustomerView) } }
  })

  serveEndpoint(app, getCustomerEndpoint, async ({ params, request }) => ({
    customer: toCustomerView(await readCustomer(deps.db, { sellerId: sellerOf(request).id, id: params.id })),
  }))

  serveEndpoint(app, updateCustomerEndpoint, async ({ params, body, request }) => ({
    customer: toCustomerView(await updateCustomer(deps, { seller: actorOf(request), id: params.id, changes: body })),
  }))

  serveEndpoint(app, archiveCustomerEndpoint, async ({ params, request }) => {
    await updateCustomer(deps, { seller: actorOf(request), id: params.id, changes: { status: "archived" } })
  })
}
