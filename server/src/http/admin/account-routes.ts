import {
  type AccountView,
  getAccountStatementEndpoint,
  listAccountsEndpoint,
} from "@tilinta/contract/api/accounts-endpoints"
import type { FastifyInstance } from "fastify"
import type { Account } from "#domain/overviews/accounts/account"
import { readAccountStatement, readBooks } from "#domain/overviews/accounts/read-accounts"
import type { HttpDeps } from "#http/deps"
import { serveEndpoint } from "#http/serve-endpoint"
import { reaisFromCents } from "#kit/money"

export function accountRoutes(app: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock" | "psp">): void {
  serveEndpoint(app, listAccountsEndpoint, async ({ query }) => {
    const { asOf, accounts, equation } = await readBooks(deps, query.asOf)
    return {
      asOf,
      accounts: accounts.map(toAccountView),
      equation: {
        bank: reaisFromCents(equation.bankCents),
        sellers: reaisFromCents(equation.sellersCents),
        ours: reaisFromCents(equation.oursCents),
        waiting: reaisFromCents(equation.waitingCents),
        difference: reaisFromCents(equation.differenceCents),
      },
      uncoveredDebts: reaisFromCents(equation.uncoveredCents),
    }
  })

  serveEndpoint(app, getAccountStatementEndpoint, async ({ params, query }) => {
    const { account, rows, next } = await readAccountStatement(deps, { id: params.id, ...query, after: query.after })
    return {
      account: toAccountView(account),
      rows: rows.map(({ day, creditsCents, debitsCents, balanceCents }) => ({
        day,
        credits: reaisFromCents(creditsCents),
        debits: reaisFromCents(debitsCents),
        balance: reaisFromCents(balanceCents),
      })),
      next,
    }
  })
}

function toAccountView({ id, kind, name, balanceCents }: Account): AccountView {
  return { id, kind, name, balance: reaisFromCents(balanceCents) }
}
