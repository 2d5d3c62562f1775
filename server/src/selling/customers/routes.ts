import {
  archiveCustomerEndpoint,
  type CustomerView,
  createCustomerEndpoint,
  exportCustomersEndpoint,
  getCustomerEndpoint,
  importCustomersEndpoint,
  listCustomersEndpoint,
  updateCustomerEndpoint,
} from "@tilinta/contract/customers"
import { IMPORT_MAX_BYTES } from "@tilinta/contract/vocabulary/customers"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { readOnlyFiles } from "#http/form-body"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Clock, dueToday, saoPauloDay } from "#kit/clock"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { limitUploads } from "#people/users/routes"
import { type ExportDeps, startExport } from "#platform/audit/export"
import { noDebt, sumDebts } from "#selling/invoices/list-reads"
import { importCustomers } from "./import.ts"
import { registerCustomer, updateCustomer } from "./manage.ts"
import { type CustomerFilter, customersTable, listCustomers, readCustomer } from "./reads.ts"
import { type Customer, customerFieldsFrom } from "./rules.ts"
import { toCustomerView } from "./views.ts"

export function customerRoutes(app: FastifyInstance, deps: ExportDeps): void {
  const { db, clock } = deps

  async function viewsOf(customers: readonly Customer[]): Promise<CustomerView[]> {
    const ids = customers.map(({ id }) => id)
    const debts = await sumDebts(db, ids, dueToday(clock))
    return customers.map((customer) => toCustomerView(customer, debts.get(customer.id) ?? noDebt))
  }

  async function viewOf(customer: Customer): Promise<{ customer: CustomerView }> {
    const [view] = await viewsOf([customer])
    return { customer: view as CustomerView }
  }

  serveEndpoint(app, createCustomerEndpoint, async ({ body, request }) => {
    const input = {
      seller: actorOf(request),
      fields: customerFieldsFrom(body),
      idempotencyKey: idempotencyKeyOf(request),
    }
    return viewOf(await registerCustomer(deps, input))
  })

  serveEndpoint(app, listCustomersEndpoint, async ({ query, request }) => {
    const { customers, results } = await listCustomers(db, filterOf(query, request), rangeOf(query))
    return { results, data: { customers: await viewsOf(customers) } }
  })

  serveEndpoint(app, exportCustomersEndpoint, async ({ query, request }) => {
    const filter = filterOf(query, request)
    const { format } = query
    const content = await startExport(deps, {
      action: "customers.exported",
      audience: "seller",
      actor: actorOf(request),
      filter,
      format,
      table: customersTable(filter),
    })
    return { name: `clientes_${saoPauloDay(clock.now())}.${format}`, content }
  })

  serveEndpoint(app, getCustomerEndpoint, async ({ params, request }) =>
    viewOf(await readCustomer(db, { sellerId: sellerOf(request).id, id: params.id })),
  )

  serveEndpoint(app, updateCustomerEndpoint, async ({ params, body, request }) =>
    viewOf(await updateCustomer(deps, { seller: actorOf(request), id: params.id, changes: body })),
  )

  serveEndpoint(app, archiveCustomerEndpoint, async ({ params, request }) => {
    await updateCustomer(deps, { seller: actorOf(request), id: params.id, changes: { status: "archived" } })
  })
}

function filterOf(
  { status, search, externalReference }: Omit<CustomerFilter, "sellerId">,
  request: FastifyRequest,
): CustomerFilter {
  return { sellerId: sellerOf(request).id, status, search, externalReference }
}

/** Apart, as its body is a file. */
export function customerImportRoutes(scope: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  readOnlyFiles(scope, IMPORT_MAX_BYTES)
  limitUploads(scope, deps)
  serveEndpoint(scope, importCustomersEndpoint, async ({ query, body, request }) =>
    importCustomers(deps, { seller: actorOf(request), file: body, isDryRun: query.dryRun === "true" }),
  )
}
