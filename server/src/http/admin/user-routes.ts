import {
  createUserEndpoint,
  getUserEndpoint,
  inactivateUserEndpoint,
  listUsersEndpoint,
  updateUserEndpoint,
} from "@tilinta/contract/api/admin-users-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { getUserActivity } from "#domain/overviews/user-activity/get-user-activity"
import { listUsersWithBalances } from "#domain/overviews/user-activity/list-users-with-balances"
import { createUser } from "#domain/people/users/create-user"
import { changeAccount, inactivateSeller } from "#domain/selling/closings/change-account"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { toUserView } from "#http/user-view"
import type { Clock } from "#kit/clock"
import { reaisFromCents } from "#kit/money"
import { adminOf } from "./require-admin.ts"

export function adminUserRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listUsersEndpoint, async ({ query }) => {
    const active = query.active ?? (query.status && String(query.status === "active"))
    const filter = {
      role: query.role,
      active: active === undefined ? undefined : active === "true",
      search: query.search,
    }
    const range = { limit: query.limit, offset: (query.page - 1) * query.limit, after: query.after }
    const { users, results, summary } = await listUsersWithBalances(deps.db, filter, range)
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

  serveEndpoint(app, createUserEndpoint, async ({ body, request }) => {
    const creation = { admin: adminOf(request), wishes: body, idempotencyKey: idempotencyKeyOf(request) }
    const user = await createUser(deps, creation)
    return { user: toUserView(user, await readSellerBalance(deps.db, user.id)) }
  })

  serveEndpoint(app, updateUserEndpoint, async ({ params, body, request }) => {
    const user = await changeAccount(deps, { id: params.id, admin: adminOf(request), changes: body })
    return { user: toUserView(user, await readSellerBalance(deps.db, user.id)) }
  })

  serveEndpoint(app, inactivateUserEndpoint, async ({ params, request }) => {
    await inactivateSeller(deps, { id: params.id, admin: adminOf(request) })
  })
}
