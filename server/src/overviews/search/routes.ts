import {
  type AllHits,
  type OwnHits,
  SEARCH_MIN_LENGTH,
  searchAllEndpoint,
  searchOwnEndpoint,
} from "@tilinta/contract/search"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { adminStatusOf, sellerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Clock, type Day, dueToday } from "#kit/clock"
import { adminOf, sellerOf } from "#people/sessions/caller"
import type { AccessNotes } from "#platform/audit/access-notes"
import { stateOn } from "#selling/invoices/rules"
import { searchAll, searchOwn } from "./search.ts"

interface Deps {
  db: ReportsDb
  clock: Clock
  accessNotes: AccessNotes
}

/** People of all sellers are found here, so it is recorded like the list of users. */
export function adminSearchRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, searchAllEndpoint, async ({ query: { q: search }, request }) => {
    const hits = toAllHits(await searchAll(deps, search))
    if (search.length >= SEARCH_MIN_LENGTH) {
      deps.accessNotes.note({
        actor: adminOf(request),
        action: "everything.searched",
        entity: "list",
        entityId: "search",
        facts: { search, results: countOf(hits) },
      })
    }
    return hits
  })
}

function countOf(hits: AllHits): number {
  return Object.values(hits).reduce((sum, found) => sum + found.length, 0)
}

export function searchRoutes(app: FastifyInstance, deps: { db: ReportsDb; clock: Clock }): void {
  serveEndpoint(app, searchOwnEndpoint, async ({ query, request }) =>
    toOwnHits(await searchOwn(deps, { words: query.q, sellerId: sellerOf(request).id }), dueToday(deps.clock)),
  )
}

type Found = Awaited<ReturnType<typeof searchAll>>

function toOwnHits(
  { customers, pages, charges, invoices, subscriptions }: Awaited<ReturnType<typeof searchOwn>>,
  today: Day,
): OwnHits {
  return {
    customers: customers.map(({ id, name, email, phone }) => ({
      _id: id,
      name,
      email: email ?? "",
      phone: phone ?? "",
    })),
    checkoutPages: pages.map(pageFields),
    transactions: charges.map((charge) => ({ ...chargeFields(charge), status: sellerStatusOf[charge.status] })),
    invoices: invoices.map((invoice) => ({
      _id: invoice.id,
      customerName: invoice.customer.name,
      description: invoice.description,
      amount: reaisFromCents(invoice.terms.amountCents),
      dueDate: invoice.terms.dueDay,
      state: stateOn(invoice, today),
    })),
    subscriptions: subscriptions.map(({ id, customer, title, terms, status }) => ({
      _id: id,
      customerName: customer.name,
      title,
      amount: reaisFromCents(terms.amountCents),
      status,
    })),
  }
}

function toAllHits({ users, pages, charges, withdrawals }: Found): AllHits {
  return {
    users: users.map(({ id, name, email, active }) => ({ _id: id, name, email, active })),
    checkoutPages: pages.map((page) => ({ ...pageFields(page), sellerName: page.sellerName })),
    transactions: charges.map((charge) => ({
      ...chargeFields(charge),
      sellerName: charge.sellerName,
      status: adminStatusOf[charge.status],
    })),
    withdrawals: withdrawals.map(({ id, amountCents, status, createdAt, sellerName }) => ({
      _id: id,
      amount: reaisFromCents(amountCents),
      status,
      createdAt: createdAt.toISOString(),
      sellerName,
    })),
  }
}

function pageFields({ id, title, amountCents, status }: Found["pages"][number]) {
  return { _id: id, title, amount: reaisFromCents(amountCents), status }
}

function chargeFields({ id, description, pageTitle, payerName, amountCents, createdAt }: Found["charges"][number]) {
  return {
    _id: id,
    description: description || pageTitle,
    payerName: payerName ?? "",
    amount: reaisFromCents(amountCents),
    createdAt: createdAt.toISOString(),
  }
}
