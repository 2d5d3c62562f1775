import {
  getTransactionEndpoint,
  listTransactionsEndpoint,
  type TransactionView,
} from "@tilinta/contract/api/transactions-endpoints"
import { sellerStatusFilters, sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import type { ListedCharge } from "#domain/charges/charge"
import { getOwnCharge } from "#domain/charges/find-charge"
import { type ChargeSummary, listCharges } from "#domain/charges/list-charges"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { reaisFromCents } from "#kit/money"
import { sellerOf } from "./session-of.ts"

/** Asked for nothing in particular, the list answers the newest thousand. */
const WITHOUT_QUERY = 1000

export function transactionRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listTransactionsEndpoint, async ({ query, request }) => {
    const limit = request.url.includes("?") ? query.limit : WITHOUT_QUERY
    const filter = {
      sellerId: sellerOf(request).id,
      statuses: query.status === undefined ? undefined : sellerStatusFilters[query.status],
      search: query.search,
      dayFrom: query.dateFrom ?? query.startDate,
      dayTo: query.dateTo ?? query.endDate,
    }
    const { charges, summary } = await listCharges(deps, filter, { limit, offset: (query.page - 1) * limit })
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
