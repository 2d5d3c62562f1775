import {
  exportIncomeEndpoint,
  exportStatementEndpoint,
  getIncomeReportEndpoint,
  getStatementEndpoint,
  listWithdrawnSalesEndpoint,
  type StatementRowView,
  statementFileName,
} from "@tilinta/contract/statements"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { actorOf, sellerOf } from "#people/sessions/caller"
import type { ExportDeps } from "#platform/audit/export"
import type { HttpDeps } from "#start/deps"
import { exportIncome, exportStatement, readIncome } from "./export.ts"
import { readStatement, readWithdrawnSales, type TitledLine } from "./statement.ts"

export function statementRoutes(
  app: FastifyInstance,
  deps: ExportDeps & Pick<HttpDeps, "reportsDb" | "signingKeys" | "checkpointCopy" | "publicUrl" | "log" | "psp">,
): void {
  serveEndpoint(app, getStatementEndpoint, async ({ query, request }) => {
    const { month, order, after, limit } = query
    const statement = await readStatement(deps, { sellerId: sellerOf(request).id, month, order, after, limit })
    return {
      month: statement.month,
      opening: reaisFromCents(statement.openingCents),
      closing: reaisFromCents(statement.closingCents),
      toCome: reaisFromCents(statement.toComeCents),
      closed: statement.isClosed,
      rows: statement.lines.map(toRowView),
      next: statement.next,
    }
  })

  serveEndpoint(app, listWithdrawnSalesEndpoint, async ({ params, query, request }) => {
    const input = { sellerId: sellerOf(request).id, withdrawalId: params.id, after: query.after, limit: query.limit }
    const { lines, next } = await readWithdrawnSales(deps.db, input)
    return { rows: lines.map(toRowView), next }
  })

  serveEndpoint(app, exportStatementEndpoint, async ({ query, request }) => {
    const { month, content } = await exportStatement(deps, { ...query, seller: actorOf(request), month: query.month })
    return { name: statementFileName(month, query.format), content }
  })

  serveEndpoint(app, exportIncomeEndpoint, async ({ query, request }) => {
    const { year, content } = await exportIncome(deps, { ...query, seller: actorOf(request), year: query.year })
    return { name: `informe_${year}.${query.format}`, content }
  })

  serveEndpoint(app, getIncomeReportEndpoint, async ({ query, request }) => {
    const input = { sellerId: sellerOf(request).id, year: query.year }
    const { year, months, total } = await readIncome(deps, input)
    return {
      year,
      months: months.map((each) => ({ month: each.month, ...toSumsView(each) })),
      total: toSumsView(total),
    }
  })
}

interface Sums {
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

function toSumsView({ count, grossCents, feeCents, netCents }: Sums) {
  return { count, gross: reaisFromCents(grossCents), fee: reaisFromCents(feeCents), net: reaisFromCents(netCents) }
}

function toRowView({ at, kind, description, amountCents, balanceCents, ...line }: TitledLine): StatementRowView {
  return {
    at: at.toISOString(),
    kind,
    description,
    amount: reaisFromCents(amountCents),
    balance: reaisFromCents(balanceCents),
    reference: line.reference,
    transactionId: line.chargeId,
    pageTitle: line.pageTitle,
  }
}
