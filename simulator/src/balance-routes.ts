import type { FastifyInstance } from "fastify"
import type { Bank } from "./bank.ts"
import { valorFromCents } from "./cents.ts"

/** The account's balance, as Efí tells it. The books begin with nothing, so payouts may leave it below zero. */
export function balanceRoutes(app: FastifyInstance, bank: Bank): void {
  const total = bank.books.db.prepare(`SELECT
    (SELECT coalesce(sum(amountCents), 0) FROM payments)
    - (SELECT coalesce(sum(amountCents), 0) FROM refunds WHERE refusal IS NULL)
    - (SELECT coalesce(sum(amountCents), 0) FROM payouts WHERE refusal IS NULL)
    + (SELECT coalesce(sum(returnedCents), 0) FROM payout_returns WHERE returnsAt <= ?)
    + (SELECT coalesce(sum(amountCents), 0) FROM account_entries) AS cents`)
  app.get("/gn/saldo", { config: { scope: "gn.balance.read" } }, async () => {
    const cents = Number(total.get(bank.clock.now())?.cents)
    return { saldo: `${cents < 0 ? "-" : ""}${valorFromCents(Math.abs(cents))}` }
  })
}
