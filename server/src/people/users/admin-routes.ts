import {
  createInvitationEndpoint,
  createUserEndpoint,
  createViewSessionEndpoint,
  endUserSessionsEndpoint,
  getUserEndpoint,
  inactivateUserEndpoint,
  listUsersEndpoint,
  unfreezeUserEndpoint,
  updateUserEndpoint,
} from "@tilinta/contract/admin-users"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { readSellerBalance } from "#money/payments/reads"
import { delayAfterRecovery, unfreezeAccount } from "#money/withdrawals/account"
import { getUserActivity, listUsersWithBalances } from "#overviews/user-activity/activity"
import { pendingWriter } from "#people/second-approvals/routes"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import { findShop } from "#people/shops/reads"
import { toShopView } from "#people/shops/views"
import { noteList } from "#platform/audit/routes"
import { changeAccount, inactivateSeller } from "#selling/closings/closings"
import type { HttpDeps } from "#start/deps"
import { endUsersSessions, viewUser } from "./change-user.ts"
import type { Invitation } from "./reset-password.ts"
import { createUser, inviteAgain } from "./sign-up.ts"
import { toUserView } from "./views.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "nameUsers" | "accessNotes" | "publicUrl" | "payersUrl">

export function adminUserRoutes(app: FastifyInstance, wired: Deps): void {
  const deps = { ...wired, onRecovery: delayAfterRecovery(wired.protection) }
  const pendingOf = pendingWriter(deps.nameUsers)
  const toInvitationView = ({ token, expiresAt }: Invitation) => ({
    url: `${deps.publicUrl}/reset-password/${token}`,
    expiresAt: expiresAt.toISOString(),
  })

  serveEndpoint(app, listUsersEndpoint, async ({ query, request }) => {
    const active = query.active ?? (query.status && String(query.status === "active"))
    const filter = {
      role: query.role,
      active: active === undefined ? undefined : active === "true",
      search: query.search,
    }
    const range = { limit: query.limit, offset: (query.page - 1) * query.limit, after: query.after }
    const { users, results, summary } = await listUsersWithBalances(deps.db, filter, range)
    const { role, search = null, page, after } = query
    noteList(deps.accessNotes, request, { list: "users", query: { role, active, search, page, after }, results })
    return { results, data: { users: users.map(({ user, balanceCents }) => toUserView(user, balanceCents)), summary } }
  })

  serveEndpoint(app, getUserEndpoint, async ({ params }) => {
    const { user, isInvited, balanceCents, ...found } = await getUserActivity(deps.db, params.id)
    const { pages, charges, underWay, frozenAt } = found
    const shop = await findShop(deps.db, user.id)
    return {
      user: toUserView(user, balanceCents),
      shop: shop && toShopView(shop, deps.payersUrl),
      summary: {
        chargePages: pages.all,
        activeChargePages: pages.active,
        transactions: charges.all,
        paidTransactions: charges.paid,
        withdrawalsInProgress: underWay.count,
        withdrawalsInProgressAmount: reaisFromCents(underWay.amountCents),
      },
      withdrawalsFrozenAt: frozenAt?.toISOString() ?? null,
      note: user.note,
      isInvited,
    }
  })

  serveEndpoint(app, createUserEndpoint, async ({ body, request }) => {
    const creation = { admin: adminOf(request), newUser: body, idempotencyKey: idempotencyKeyOf(request) }
    const { user, waits, invitation } = await createUser(deps, creation)
    const balance = await readSellerBalance(deps.db, user.id)
    return {
      user: toUserView(user, balance),
      ...(await pendingOf(waits)),
      ...(invitation !== null && { invitation: toInvitationView(invitation) }),
    }
  })

  serveEndpoint(app, createInvitationEndpoint, async ({ params, request }) => ({
    invitation: toInvitationView(await inviteAgain(deps, { id: params.id, admin: adminOf(request) })),
  }))

  serveEndpoint(app, createViewSessionEndpoint, async ({ params, request }) => {
    const { token, expiresAt } = await viewUser(deps, { id: params.id, admin: adminOf(request) })
    return { token, expiresAt: expiresAt.toISOString() }
  })

  serveEndpoint(app, updateUserEndpoint, async ({ params, body, request }) => {
    const change = { id: params.id, admin: adminOf(request), changes: body }
    const { user, waits, emailToConfirm } = await changeAccount(deps, change)
    return {
      user: toUserView(user, await readSellerBalance(deps.db, user.id)),
      ...(await pendingOf(waits)),
      ...(emailToConfirm !== null && { emailToConfirm }),
    }
  })

  serveEndpoint(app, unfreezeUserEndpoint, async ({ params, request }) => {
    const waits = await unfreezeAccount(deps, { id: params.id, admin: adminOf(request) })
    if (waits === null) return { message: "Os saques da conta estão liberados." }
    return {
      message: "Anotado. Os saques são liberados quando outro administrador aprovar.",
      data: await pendingOf(waits),
    }
  })

  serveEndpoint(app, endUserSessionsEndpoint, async ({ params, request }) => ({
    ended: await endUsersSessions(deps, { id: params.id, admin: adminOf(request) }),
  }))

  serveEndpoint(app, inactivateUserEndpoint, async ({ params, request }) => {
    await inactivateSeller(deps, { id: params.id, admin: adminOf(request) })
  })
}
