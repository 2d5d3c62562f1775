import {
  exportTransactionsEndpoint,
  getTransactionEndpoint,
  listTransactionsEndpoint,
} from "@tilinta/contract/api/transactions-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type SellerStatusFilter, sellerStatusFilters } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { ExportDeps } from "#domain/platform/audit/start-export"
import { exportSellersCharges } from "#domain/selling/charges/export-charges"
import { getOwnCharge } from "#domain/selling/charges/find-charge"
import { listSellersCharges, listSellersRows, type SellersChargeSummary } from "#domain/selling/charges/list-charges"
import type { HttpDeps } from "#http/deps"
import { type ListFilters, searchAndDays } from "#http/list-filters"
import { newestThousandIfBare, rangeOf } from "#http/requested-range"
import { serveEndpoint } from "#http/serve-endpoint"
import { toCountedTransactionView } from "#http/transaction-view"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { actorOf, sellerOf } from "./session-of.ts"

export function transactionRoutes(app: FastifyInstance, deps: ExportDeps & Pick<HttpDeps, "reportsDb">): void {
  serveEndpoint(app, listTransactionsEndpoint, async ({ query, request }) => {
    const range = rangeOf(newestThousandIfBare(request.url, query))
    const filter = filterOf(query, request)
    if (query.totals === "none") {
      const rows = await listSellersRows(deps, filter, range)
      return { data: { transactions: rows.map(toCountedTransactionView) } }
    }
    const { charges, summary } = await listSellersCharges(deps, filter, range)
    return {
      results: summary.count,
      data: { transactions: charges.map(toCountedTransactionView), summary: toSummaryView(summary) },
    }
  })

  serveEndpoint(app, exportTransactionsEndpoint, async ({ query, request }) => {
    const actor = actorOf(request)
    const content = await exportSellersCharges(deps, filterOf(query, request), actor)
    return { name: `transacoes_${saoPauloDay(deps.clock.now())}.csv`, content }
  })

  serveEndpoint(app, getTransactionEndpoint, async ({ params, request }) => {
    const charge = await getOwnCharge(deps, { id: params.id, sellerId: sellerOf(request).id })
    const { name, email, cpf, phone } = charge.payer
    return {
      transaction: {
        ...toCountedTransactionView(charge),
        expiresAt: charge.expiresAt.toISOString(),
        customerInfo: { name: name ?? "", email: email ?? "", cpf: cpf ?? "", phone: phone ?? "" },
      },
    }
  })
}

type Query = ListFilters & {
  status?: SellerStatusFilter | undefined
  externalReference?: string | undefined
  checkoutPage?: string | undefined
}

function filterOf(query: Query, request: FastifyRequest) {
  return {
    sellerId: sellerOf(request).id,
    externalReference: query.externalReference,
    pageId: query.checkoutPage,
    statuses: query.status === undefined ? undefined : sellerStatusFilters[query.status],
    ...searchAndDays(query),
  }
}

function toSummaryView(summary: SellersChargeSummary) {
  return {
    count: summary.count,
    exact: summary.isExact,
    totalGross: reaisFromCents(summary.grossCents),
    totalFee: reaisFromCents(summary.feeCents),
    totalReceived: reaisFromCents(summary.netCents),
    totalRefunded: reaisFromCents(summary.refundedCents),
    paidCount: summary.paidCount,
    pendingCount: summary.pendingCount,
    pendingGross: reaisFromCents(summary.pendingCents),
    todayReceived: reaisFromCents(summary.today.netCents),
    todayPaidCount: summary.today.count,
  }
}
