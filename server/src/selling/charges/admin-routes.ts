import {
  type AdminTransactionDetails,
  type AdminTransactionsSummary,
  exportAllTransactionsEndpoint,
  getAnyTransactionEndpoint,
  listAllTransactionsEndpoint,
} from "@tilinta/contract/admin-transactions"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type AdminStatusFilter, adminStatusFilters } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance } from "fastify"
import { type ListFilters, rangeOf, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { saoPauloDay } from "#kit/clock"
import { type ChargeDetails, getChargeDetails } from "#overviews/charge-details/details"
import { adminOf } from "#people/sessions/caller"
import type { ExportDeps } from "#platform/audit/export"
import { noteList } from "#platform/audit/routes"
import type { HttpDeps } from "#start/deps"
import { type ChargeSums, exportAllCharges, listAllCharges } from "./lists.ts"
import { toAdminTransactionView } from "./views.ts"

export function adminTransactionRoutes(
  app: FastifyInstance,
  deps: ExportDeps & Pick<HttpDeps, "reportsDb" | "nameUsers" | "accessNotes">,
): void {
  serveEndpoint(app, listAllTransactionsEndpoint, async ({ query, request }) => {
    const range = { ...rangeOf(query), withTotals: query.totals !== "none" }
    const { charges, summary } = await listAllCharges(deps, filterOf(query), range)
    const transactions = charges.map(toAdminTransactionView)
    noteList(deps.accessNotes, request, { list: "transactions", query, results: charges.length })
    if (summary === null) return { data: { transactions } }
    return { results: summary.count, data: { transactions, summary: toSummaryView(summary) } }
  })

  serveEndpoint(app, exportAllTransactionsEndpoint, async ({ query, request }) => {
    const { format } = query
    const content = await exportAllCharges(deps, filterOf(query), { format, actor: adminOf(request) })
    return { name: `transacoes_${saoPauloDay(deps.clock.now())}.${format}`, content }
  })

  serveEndpoint(app, getAnyTransactionEndpoint, async ({ params }) => {
    return { transaction: toDetailsView(await getChargeDetails(deps, params.id)) }
  })
}

interface Filters extends ListFilters {
  status?: AdminStatusFilter | undefined
  paymentMethod?: string | undefined
}

function filterOf(query: Filters) {
  return { statuses: statusesOf(query), ...searchAndDays(query) }
}

/** Only Pix payments exist, so another method finds nothing. */
function statusesOf(query: Filters) {
  if (query.paymentMethod !== undefined && query.paymentMethod !== "pix") return []
  return query.status === undefined ? undefined : adminStatusFilters[query.status]
}

function toSummaryView(summary: ChargeSums): AdminTransactionsSummary {
  return {
    count: summary.count,
    exact: summary.isExact,
    totalGross: reaisFromCents(summary.grossCents),
    totalFee: reaisFromCents(summary.feeCents),
    totalNet: reaisFromCents(summary.netCents),
    totalRefunded: reaisFromCents(summary.refundedCents),
    pendingGross: reaisFromCents(summary.pendingCents),
    approvedCount: summary.countOf(...adminStatusFilters.approved),
    pendingCount: summary.countOf(...adminStatusFilters.pending),
    failedCount: summary.countOf(...adminStatusFilters.failed),
    refundedCount: summary.countOf(...adminStatusFilters.refunded),
  }
}

function toDetailsView({ charge, timeline, postings }: ChargeDetails): AdminTransactionDetails {
  return {
    ...toAdminTransactionView(charge),
    receiptVerifications: charge.receiptVerifications,
    timeline: timeline.map(({ event, at, by }) => ({ event, label: eventLabels[event] + by, at: at.toISOString() })),
    ledger: postings.map(({ bookedAt, debit, credit, amountCents }) => ({
      at: bookedAt.toISOString(),
      debit,
      credit,
      amount: reaisFromCents(amountCents),
    })),
  }
}

const eventLabels = {
  created: "Criada",
  code_shown: "Código Pix exibido",
  paid: "Paga",
  booked: "Contabilizada",
  notified: "Vendedor avisado por e-mail",
  disputed: "Contestada pelo pagador",
  dispute_closed: "Contestação encerrada",
  refund_asked: "Estorno pedido no balcão",
  refund_confirmed: "Estorno confirmado",
  refund_declined: "Estorno recusado",
  refunded: "Estornada",
  expired: "Expirada",
  cancelled: "Cancelada",
  failed: "Recusada",
} as const satisfies Record<ChargeDetails["timeline"][number]["event"], string>
