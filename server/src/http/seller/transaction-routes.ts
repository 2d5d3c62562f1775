import {
  exportTransactionsEndpoint,
  getTransactionEndpoint,
  listTransactionsEndpoint,
  type TransactionView,
} from "@tilinta/contract/api/transactions-endpoints"
import {
  type SellerStatusFilter,
  sellerStatusFilters,
  sellerStatusOf,
} from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { ListedCharge } from "#domain/charges/charge"
import { exportSellersCharges } from "#domain/charges/export-charges"
import { getOwnCharge } from "#domain/charges/find-charge"
import { type ChargeSummary, listCharges } from "#domain/charges/list-charges"
import type { ExportDeps } from "#domain/exports/start-export"
import { type ListFilters, searchAndDays } from "#http/list-filters"
import { serveEndpoint } from "#http/serve-endpoint"
import { reaisFromCents } from "#kit/money"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { sellerOf } from "./session-of.ts"

/** Asked for nothing in particular, the list answers the newest thousand. */
const WITHOUT_QUERY = 1000

export function transactionRoutes(app: FastifyInstance, deps: ExportDeps): void {
  serveEndpoint(app, listTransactionsEndpoint, async ({ query, request }) => {
    const limit = request.url.includes("?") ? query.limit : WITHOUT_QUERY
    const range = { limit, offset: (query.page - 1) * limit }
    const { charges, summary } = await listCharges(deps, filterOf(query, request), range)
    return {
      results: summary.count,
      data: { transactions: charges.map(toTransactionView), summary: toSummaryView(summary) },
    }
  })

  serveEndpoint(app, getTransactionEndpoint, async ({ params, request }) => {
    const charge = await getOwnCharge(deps, { id: params.id, sellerId: sellerOf(request).id })
    const { name, email, cpf, phone } = charge.payer
    return {
      transaction: {
        ...toTransactionView(charge),
        expiresAt: charge.expiresAt.toISOString(),
        customerInfo: { name: name ?? "", email: email ?? "", cpf: cpf ?? "", phone: phone ?? "" },
      },
    }
  })

  serveEndpoint(app, exportTransactionsEndpoint, async ({ query, request }) => {
    const actor = { id: sellerOf(request).id, address: request.ip }
    const content = await exportSellersCharges(deps, filterOf(query, request), actor)
    return { name: `transacoes_${saoPauloDay(deps.clock.now())}.csv`, content }
  })
}

function filterOf(query: ListFilters & { status?: SellerStatusFilter | undefined }, request: FastifyRequest) {
  return {
    sellerId: sellerOf(request).id,
    statuses: query.status === undefined ? undefined : sellerStatusFilters[query.status],
    ...searchAndDays(query),
  }
}

function toTransactionView(charge: ListedCharge): TransactionView {
  return {
    _id: charge.id,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    description: charge.description,
    amount: reaisFromCents(charge.amountCents),
    grossAmount: reaisFromCents(charge.amountCents),
    fee: reaisFromCents(charge.feeCents),
    netAmount: reaisFromCents(charge.netCents),
    refundedAmount: reaisFromCents(charge.refundedCents),
    status: sellerStatusOf[charge.status],
    paymentMethod: "pix",
    checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
    customerInfo: { name: charge.payer.name ?? "" },
    metadata: {
      txid: charge.txid,
      endToEndId: charge.endToEndId,
      late: charge.isLate,
      duplicate: charge.isDuplicate,
    },
  }
}

function toSummaryView(summary: ChargeSummary) {
  return {
    count: summary.count,
    totalGross: reaisFromCents(summary.grossCents),
    totalFee: reaisFromCents(summary.feeCents),
    totalReceived: reaisFromCents(summary.receivedCents),
    paidCount: summary.paidCount,
    pendingCount: summary.pendingCount,
    todayReceived: reaisFromCents(summary.today.netCents),
    todayPaidCount: summary.today.count,
  }
}
