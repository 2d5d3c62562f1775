import { listAllInvoicesEndpoint } from "@tilinta/contract/admin-invoices"
import type { FastifyInstance } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { dueToday } from "#kit/clock"
import { nameIn } from "#people/users/user-names"
import { noteList } from "#platform/audit/routes"
import type { HttpDeps } from "#start/deps"
import { listInvoices } from "./list-reads.ts"
import { toInvoiceView } from "./views.ts"

type Deps = Pick<HttpDeps, "reportsDb" | "clock" | "payersUrl" | "nameUsers" | "accessNotes">

export function adminInvoiceRoutes(app: FastifyInstance, deps: Deps): void {
  const { reportsDb, clock, payersUrl, nameUsers, accessNotes } = deps

  serveEndpoint(app, listAllInvoicesEndpoint, async ({ query, request }) => {
    const { sellerId, status, dueFrom, dueTo, customerId, search, externalReference } = query
    const today = dueToday(clock)
    const filter = { sellerId, today, status, dueFrom, dueTo, customerId, search, externalReference }
    const { invoices, results } = await listInvoices(reportsDb, { ...filter, ...rangeOf(query) })
    const names = await nameUsers(invoices.map((invoice) => invoice.sellerId))
    noteList(accessNotes, request, { list: "invoices", query, results })
    const views = invoices.map((invoice) => {
      const { id, name, email } = nameIn(names, invoice.sellerId)
      return { ...toInvoiceView(invoice, today, payersUrl), user: { _id: id, name, email } }
    })
    return { results, data: { invoices: views } }
  })
}
