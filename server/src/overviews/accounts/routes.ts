import {
  type AccountPostingView,
  type AccountView,
  getAccountStatementEndpoint,
  listAccountsEndpoint,
} from "@tilinta/contract/accounts"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import type { HttpDeps } from "#start/deps"
import { readAccountDay, readAccountStatement, readBooks } from "./accounts.ts"
import { type Account, postingWords } from "./rules.ts"

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
    const { id } = params
    const { day, after, afterPosting, limit } = query
    if (day === undefined) {
      const { account, rows, next } = await readAccountStatement(deps, { id, after, limit })
      return { account: toAccountView(account), rows: rows.map(toDayView), postings: null, next }
    }
    const { account, rows, postings, next } = await readAccountDay(deps, { id, day, after: afterPosting, limit })
    return { account: toAccountView(account), rows: rows.map(toDayView), postings: postings.map(toPostingView), next }
  })
}

type DayStatement = Awaited<ReturnType<typeof readAccountDay>>

function toDayView({ day, creditsCents, debitsCents, balanceCents }: DayStatement["rows"][number]) {
  return {
    day,
    credits: reaisFromCents(creditsCents),
    debits: reaisFromCents(debitsCents),
    balance: reaisFromCents(balanceCents),
  }
}

function toPostingView(posting: DayStatement["postings"][number]): AccountPostingView {
  return {
    at: posting.at.toISOString(),
    description: postingWords[posting.kind],
    amount: reaisFromCents(posting.amountCents),
    reference: posting.reference,
    counterAccount: posting.counterName,
    sellerId: posting.sellerId,
  }
}

function toAccountView({ id, kind, name, balanceCents }: Account): AccountView {
  return { id, kind, name, balance: reaisFromCents(balanceCents) }
}
