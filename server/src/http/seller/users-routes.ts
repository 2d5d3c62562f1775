import { getMeEndpoint, getMyBalanceEndpoint } from "@tilinta/contract/api/users-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readSellerBalance } from "#domain/payments/read-seller-balance"
import { getUser } from "#domain/users/get-user"
import { serveEndpoint } from "#http/serve-endpoint"
import { toUserView } from "#http/user-view"
import { reaisFromCents } from "#kit/money"
import { sellerOf } from "./session-of.ts"

export function usersRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serveEndpoint(app, getMeEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [user, balance] = await Promise.all([getUser(db, id), readSellerBalance(db, id)])
    return { user: toUserView(user, balance) }
  })

  serveEndpoint(app, getMyBalanceEndpoint, async ({ request }) => {
    const balance = await readSellerBalance(db, sellerOf(request).id)
    return { balance: reaisFromCents(balance) }
  })
}
