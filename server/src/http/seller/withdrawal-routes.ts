import {
  cancelWithdrawalEndpoint,
  getWithdrawalEndpoint,
  listWithdrawalsEndpoint,
  requestWithdrawalEndpoint,
} from "@tilinta/contract/api/withdrawals-endpoints"
import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { sellerWithdrawalFilters } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { FastifyInstance } from "fastify"
import { cancelWithdrawal } from "#domain/money/withdrawals/cancel-withdrawal"
import { getWithdrawal } from "#domain/money/withdrawals/get-withdrawal"
import { listSellersWithdrawals } from "#domain/money/withdrawals/list-withdrawals"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { searchAndDays } from "#http/list-filters"
import { newestThousandIfBare, rangeOf } from "#http/requested-range"
import { serveEndpoint } from "#http/serve-endpoint"
import { sessionOriginOf } from "#http/session-origin"
import { proofOf } from "#http/step-up-guard"
import { requestedDestinationOf, toWithdrawalView } from "#http/withdrawal-view"
import { actorOf, sellerOf } from "./session-of.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "requestWithdrawal">

export function withdrawalRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, requestWithdrawalEndpoint, async ({ body, request }) => {
    const withdrawal = await deps.requestWithdrawal({
      seller: actorOf(request),
      amountCents: centsFromReais(body.amount),
      destination: requestedDestinationOf(body),
      apiKeyId: sellerOf(request).apiKeyId,
      userAgent: sessionOriginOf(request).userAgent,
      proof: proofOf(request, deps),
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { withdrawal: toWithdrawalView(withdrawal) }
  })

  serveEndpoint(app, listWithdrawalsEndpoint, async ({ query, request }) => {
    const filter = {
      sellerId: sellerOf(request).id,
      statuses: query.status === undefined ? undefined : sellerWithdrawalFilters[query.status],
      ...searchAndDays(query),
    }
    const range = rangeOf(newestThousandIfBare(request.url, query))
    const { withdrawals, results, summary } = await listSellersWithdrawals(deps.db, filter, range)
    return {
      results,
      data: {
        withdrawals: withdrawals.map(toWithdrawalView),
        summary: {
          available: reaisFromCents(summary.availableCents),
          inProgress: reaisFromCents(summary.inProgressCents),
          withdrawn: reaisFromCents(summary.withdrawnCents),
          blocked: reaisFromCents(summary.blockedCents),
          toCome: reaisFromCents(summary.toComeCents),
        },
      },
    }
  })

  serveEndpoint(app, getWithdrawalEndpoint, async ({ params, request }) => {
    const withdrawal = await getWithdrawal(deps.db, { id: params.id, sellerId: sellerOf(request).id })
    return { withdrawal: toWithdrawalView(withdrawal) }
  })

  serveEndpoint(app, cancelWithdrawalEndpoint, async ({ params, request }) => {
    const withdrawal = await cancelWithdrawal(deps, { id: params.id, seller: actorOf(request) })
    const message = "Saque cancelado. O valor voltou ao seu saldo."
    return { message, data: { withdrawal: toWithdrawalView(withdrawal) } }
  })
}
