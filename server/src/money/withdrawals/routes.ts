import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { sellerWithdrawalFilters } from "@tilinta/contract/vocabulary/withdrawals"
import {
  cancelWithdrawalEndpoint,
  getWithdrawalEndpoint,
  listWithdrawalsEndpoint,
  requestWithdrawalEndpoint,
} from "@tilinta/contract/withdrawals"
import type { FastifyInstance } from "fastify"
import { newestThousandIfBare, rangeOf, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, idempotencyKeyOf, sellerOf, sessionOriginOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { cancelWithdrawal } from "./account.ts"
import { getWithdrawal, listSellersWithdrawals } from "./reads.ts"
import { requestWithdrawal } from "./request.ts"
import { requestedDestinationOf, toWithdrawalView } from "./views.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection">

export function withdrawalRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, requestWithdrawalEndpoint, async ({ body, request }) => {
    const withdrawal = await requestWithdrawal(deps, {
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
