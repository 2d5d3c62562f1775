import {
  confirmBankStatementEndpoint,
  importBankStatementEndpoint,
  type StatementEntryView,
} from "@tilinta/contract/bank-statements"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { readOnlyFiles } from "#http/form-body"
import { serveEndpoint } from "#http/serve-endpoint"
import { findListedWithdrawals } from "#money/withdrawals/admin-reads"
import { toAdminWithdrawalView } from "#money/withdrawals/views"
import { adminOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { confirmEntries, importStatement } from "./import.ts"
import type { Matched } from "./rules.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "psp" | "nameUsers" | "protection">

const STATEMENT_MAX_BYTES = 2 * 1024 * 1024

export function bankStatementRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    readOnlyFiles(scope, STATEMENT_MAX_BYTES)
    serveEndpoint(scope, importBankStatementEndpoint, async ({ body, request }) => {
      const { id, matched, newCount, untold } = await importStatement(deps, { file: body, admin: adminOf(request) })
      const ids = matched.flatMap(({ withdrawalId, candidateIds }) => [withdrawalId, ...candidateIds])
      const listed = await findListedWithdrawals(deps, [...new Set(ids.filter((each) => each !== null))])
      const now = deps.clock.now()
      const untoldCredits = untold.map(({ day, amountCents, text }) => ({
        day,
        amount: reaisFromCents(amountCents),
        text,
      }))
      return {
        statement: { _id: id, entries: matched.map(toEntryView), new: newCount, untoldCredits },
        withdrawals: listed.map((each) => toAdminWithdrawalView(each, { payouts: deps.psp.payouts, now })),
      }
    })
  })

  serveEndpoint(app, confirmBankStatementEndpoint, async ({ params, body, request }) => {
    const choices = new Map(body.choices?.map(({ entryId, withdrawalId }) => [entryId, withdrawalId]))
    const ids = [...new Set([...body.entryIds, ...choices.keys()])]
    const entries = ids.map((id) => ({ id, withdrawalId: choices.get(id) ?? null }))
    const confirmed = await confirmEntries(deps, { statementId: params.id, admin: adminOf(request), entries })
    const count = confirmed.filter(({ refusal }) => refusal === null).length
    return {
      message: count === 1 ? "1 saque marcado como pago." : `${count} saques marcados como pagos.`,
      data: {
        confirmed: confirmed.map(({ id, withdrawalId, refusal }) => ({
          _id: id,
          withdrawalId,
          code: refusal?.code ?? null,
          message: refusal?.message ?? "Saque marcado como pago.",
        })),
      },
    }
  })
}

function toEntryView({ debit, match, withdrawalId, candidateIds }: Matched): StatementEntryView {
  const { id, day, amountCents, text } = debit
  return { _id: id, day, amount: reaisFromCents(amountCents), text, match, withdrawalId, candidates: candidateIds }
}
