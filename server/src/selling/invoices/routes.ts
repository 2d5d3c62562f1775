import {
  type CreateInvoiceBody,
  cancelInvoiceEndpoint,
  createInstalmentsEndpoint,
  createInvoiceEndpoint,
  createInvoicesAtOnceEndpoint,
  exportInvoicesEndpoint,
  getInvoiceEndpoint,
  listInvoicesEndpoint,
  type PreviewInvoiceBody,
  previewInvoiceEndpoint,
  settleInvoiceOutsideEndpoint,
  type UpdateInvoiceBody,
  updateInvoiceEndpoint,
} from "@tilinta/contract/invoices"
import { dueAmountOn, isBusinessDay, lastDayOf } from "@tilinta/contract/vocabulary/due-amount"
import {
  DEFAULT_DAYS_AFTER_DUE,
  dueTermsOf,
  type InvoiceMode,
  previewDaysOf,
  type SentTerms,
  warningsOfTerms,
} from "@tilinta/contract/vocabulary/invoices"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Day, dueToday } from "#kit/clock"
import { sendTermsOf } from "#money/payments/due-codes"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { orderChangesFrom, orderFrom } from "#selling/charge-pages/routes"
import { cancelInvoice, settleInvoiceOutside, updateInvoice } from "#selling/closings/invoices"
import { customerFieldsFrom } from "#selling/customers/rules"
import type { HttpDeps } from "#start/deps"
import { refusalOf } from "./change.ts"
import { createInvoice, exportInvoices, getOwnInvoice, requireSoundTerms } from "./create.ts"
import { createForMany, createInstalments } from "./create-many.ts"
import { type InvoicesFilter, listInvoices, sumInvoices } from "./list-reads.ts"
import { listRevisions } from "./reads.ts"
import type { Invoice } from "./rules.ts"
import { toAmountView, toInvoiceView, toRevisionView } from "./views.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "payersUrl" | "tableExports" | "psp" | "log" | "chargeSteps">
type Filter = Omit<InvoicesFilter, "sellerId" | "today">

export function invoiceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, payersUrl } = deps
  const filterOf = (query: Filter, request: FastifyRequest): InvoicesFilter => {
    const { status, dueFrom, dueTo, customerId, search, externalReference } = query
    const own = { sellerId: sellerOf(request).id, today: dueToday(clock) }
    return { ...own, status, dueFrom, dueTo, customerId, search, externalReference }
  }
  const view = (invoice: Invoice) => toInvoiceView(invoice, dueToday(clock), payersUrl)
  /** As it is once the bank was told, where its code is the bank's. */
  const withCode = async (invoice: Invoice) => {
    await sendTermsOf(deps, invoice)
    return invoice.mode === "bank" ? getOwnInvoice(db, invoice) : invoice
  }

  serveEndpoint(app, createInvoiceEndpoint, async ({ body, request }) => {
    const invoice = await createInvoice(deps, {
      ...callOf(request),
      customer: customerOf(body),
      terms: dueTermsOf(termsOf(body)),
      description: body.description,
      order: orderFrom(body),
      mode: body.mode,
    })
    return { invoice: view(await withCode(invoice)) }
  })

  serveEndpoint(app, createInvoicesAtOnceEndpoint, async ({ body, request }) => {
    const invoices = await createForMany(deps, callOf(request), {
      customerIds: body.customerIds,
      terms: termsOf(body),
      description: body.description,
      order: orderFrom(body),
      mode: body.mode,
    })
    return { invoices: invoices.map(view) }
  })

  serveEndpoint(app, createInstalmentsEndpoint, async ({ body, request }) => {
    const invoices = await createInstalments(deps, callOf(request), {
      count: body.count,
      customer: customerOf(body),
      terms: termsOf(body),
      description: body.description,
      order: orderFrom(body),
      mode: body.mode,
    })
    return { invoices: invoices.map(view) }
  })

  serveEndpoint(app, listInvoicesEndpoint, async ({ query, request }) => {
    const filter = filterOf(query, request)
    const { today } = filter
    const [{ invoices, results }, sums] = await Promise.all([
      listInvoices(db, { ...filter, ...rangeOf(query) }),
      sumInvoices(db, sellerOf(request).id, today),
    ])
    const summary = {
      day: today,
      open: reaisFromCents(sums.openCents),
      overdue: reaisFromCents(sums.overdueCents),
      received: reaisFromCents(sums.receivedCents),
    }
    return { results, data: { invoices: invoices.map(view), modes: modesOf(deps), summary } }
  })

  serveEndpoint(app, exportInvoicesEndpoint, async ({ query, request }) => {
    const { format } = query
    const content = await exportInvoices(deps, filterOf(query, request), { format, actor: actorOf(request) })
    return { name: `cobrancas_${dueToday(clock)}.${format}`, content }
  })

  serveEndpoint(app, previewInvoiceEndpoint, async ({ body }) => preview(body, dueToday(clock)))

  serveEndpoint(app, getInvoiceEndpoint, async ({ params, request }) => {
    const invoice = await getOwnInvoice(db, { id: params.id, sellerId: sellerOf(request).id })
    return { invoice: view(invoice), revisions: (await listRevisions(db, invoice.id)).map(toRevisionView) }
  })

  serveEndpoint(app, updateInvoiceEndpoint, async ({ params, body, request }) => {
    const changes = { terms: changedTerms(body), description: body.description, order: orderChangesFrom(body) }
    const invoice = await withCode(await updateInvoice(deps, ownOf(request, params.id), changes))
    // The bank takes no other terms for what has been paid.
    if (invoice.status === "paid") throw refusalOf("paid")
    return { invoice: view(invoice) }
  })

  serveEndpoint(app, cancelInvoiceEndpoint, async ({ params, request }) => {
    return { invoice: view(await cancelInvoice(deps, ownOf(request, params.id))) }
  })

  serveEndpoint(app, settleInvoiceOutsideEndpoint, async ({ params, body, request }) => {
    return { invoice: view(await settleInvoiceOutside(deps, ownOf(request, params.id), body.reason)) }
  })
}

function modesOf({ psp }: Pick<Deps, "psp">): InvoiceMode[] {
  return psp.dueCharges === null ? ["daily"] : ["daily", "bank"]
}

function callOf(request: FastifyRequest) {
  return { seller: actorOf(request), idempotencyKey: idempotencyKeyOf(request) }
}

function ownOf(request: FastifyRequest, id: string) {
  return { id, seller: actorOf(request) }
}

/** The contract asks for one of both. */
function customerOf({ customerId, customer }: Pick<CreateInvoiceBody, "customerId" | "customer">) {
  return customer ? customerFieldsFrom(customer) : { id: customerId ?? "" }
}

function termsOf(body: PreviewInvoiceBody): SentTerms {
  const { amount, dueDate, daysAfterDue, fine, interest, discounts } = body
  return { amount, dueDate, daysAfterDue: daysAfterDue ?? DEFAULT_DAYS_AFTER_DUE, fine, interest, discounts }
}

function changedTerms({ amount, dueDate, daysAfterDue, fine, interest, discounts }: UpdateInvoiceBody) {
  return { amount, dueDate, daysAfterDue, fine, interest, discounts } as Partial<SentTerms>
}

function preview(body: PreviewInvoiceBody, today: Day) {
  const sent = termsOf(body)
  const terms = dueTermsOf(sent)
  requireSoundTerms(sent, terms, { today })
  const days = body.days ?? previewDaysOf(terms, today)
  return {
    days: days.map((day) => {
      return { ...toAmountView({ day, ...dueAmountOn(terms, day) }), isBusinessDay: isBusinessDay(day) }
    }),
    lastDay: lastDayOf(terms),
    warnings: warningsOfTerms(sent),
  }
}
