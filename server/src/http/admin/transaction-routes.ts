import {
  type AdminTransactionDetails,
  type AdminTransactionsSummary,
  getAnyTransactionEndpoint,
  listAllTransactionsEndpoint,
} from "@tilinta/contract/api/admin-transactions-endpoints"
import { type AdminStatusFilter, adminStatusFilters } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { type ChargeDetails, getChargeDetails } from "#domain/charge-details/get-charge-details"
import { type ChargeSums, listAllCharges } from "#domain/charges/list-charges"
import { searchAndDays } from "#http/list-filters"
import { rangeOf } from "#http/list-range"
import { serveEndpoint } from "#http/serve-endpoint"
import { toAdminTransactionView } from "#http/transaction-view"
import type { Clock } from "#kit/clock"
import { reaisFromCents } from "#kit/money"

export function adminTransactionRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listAllTransactionsEndpoint, async ({ query }) => {
    const filter = { statuses: statusesOf(query), ...searchAndDays(query) }
    const { charges, summary } = await listAllCharges(deps, filter, rangeOf(query))
    return {
      results: summary.count,
      data: { transactions: charges.map(toAdminTransactionView), summary: toSummaryView(summary) },
    }
  })

  serveEndpoint(app, getAnyTransactionEndpoint, async ({ params }) => {
    return { transaction: toDetailsView(await getChargeDetails(deps, params.id)) }
  })
}

/** Everything is paid by Pix, so another method finds nothing. */
function statusesOf(query: { status?: AdminStatusFilter | undefined; paymentMethod?: string | undefined }) {
  if (query.paymentMethod !== undefined && query.paymentMethod !== "pix") return []
  return query.status === undefined ? undefined : adminStatusFilters[query.status]
}

function toSummaryView(summary: ChargeSums): AdminTransactionsSummary {
  return {
    count: summary.count,
    totalGross: reaisFromCents(summary.grossCents),
    totalFee: reaisFromCents(summary.feeCents),
    totalNet: reaisFromCents(summary.netCents),
    approvedCount: summary.countOf(...adminStatusFilters.approved),
    pendingCount: summary.countOf(...adminStatusFilters.pending),
    failedCount: summary.countOf(...adminStatusFilters.failed),
    refundedCount: summary.countOf(...adminStatusFilters.refunded),
  }
}

function toDetailsView({ charge, timeline, postings }: ChargeDetails): AdminTransactionDetails {
  return {
    ...toAdminTransactionView(charge),
    timeline: timeline.map(({ event, at }) => ({ event, label: eventLabels[event], at: at.toISOString() })),
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
  refunded: "Estornada",
  expired: "Expirada",
  cancelled: "Cancelada",
  failed: "Recusada",
} as const satisfies Record<ChargeDetails["timeline"][number]["event"], string>
