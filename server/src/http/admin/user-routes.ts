import { getUserEndpoint, listUsersEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { getUserActivity } from "#domain/users/get-user-activity"
import { listUsers } from "#domain/users/list-users"
import { serveEndpoint } from "#http/serve-endpoint"
import { toUserView } from "#http/user-view"
import { reaisFromCents } from "#kit/money"

export function adminUserRoutes(app: FastifyInstance, deps: { db: Db }): void {
  serveEndpoint(app, listUsersEndpoint, async ({ query }) => {
    const active = query.active ?? (query.status && String(query.status === "active"))
    const filter = {
      role: query.role,
      active: active === undefined ? undefined : active === "true",
      search: query.search,
    }
    const range = { limit: query.limit, offset: (query.page - 1) * query.limit, after: query.after }
    const { users, results, summary } = await listUsers(deps.db, filter, range)
    return {
      results,
      data: { users: users.map(({ user, balanceCents }) => toUserView(user, balanceCents)), summary },
    }
  })

  serveEndpoint(app, getUserEndpoint, async ({ params }) => {
    const { user, balanceCents, pages, charges, underWay } = await getUserActivity(deps.db, params.id)
    return {
      user: toUserView(user, balanceCents),
      summary: {
        chargePages: pages.all,
        activeChargePages: pages.active,
        transactions: charges.all,
        paidTransactions: charges.paid,
        withdrawalsInProgress: underWay.count,
        withdrawalsInProgressAmount: reaisFromCents(underWay.amountCents),
      },
    }
  })
}
