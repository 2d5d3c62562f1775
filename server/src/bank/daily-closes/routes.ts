import {
  type CloseDifferenceView,
  type DailyCloseView,
  exportDifferencesEndpoint,
  getDailyCloseEndpoint,
  listDailyClosesEndpoint,
  redoDailyCloseEndpoint,
  typeBankBalanceEndpoint,
} from "@tilinta/contract/daily-closes"
import { type Cents, centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Logger } from "#kit/log"
import { adminOf } from "#people/sessions/caller"
import type { ExportDeps } from "#platform/audit/export"
import type { Psp } from "#psp/psp"
import { typeBankBalance } from "./balances.ts"
import { redoDailyClose } from "./close.ts"
import { exportDifferences, getDailyClose, type ListedClose, listDailyCloses } from "./daily-close.ts"
import type { CloseDifference } from "./rules.ts"

const mostDifferences = 200

export function dailyCloseRoutes(app: FastifyInstance, deps: ExportDeps & { psp: Psp; log: Logger }): void {
  const read = async (id: string) => {
    const { differences, ...close } = await getDailyClose(deps.db, id, mostDifferences)
    return { close: toDailyCloseView(close, deps.psp), differences: differences.map(toDifferenceView) }
  }

  serveEndpoint(app, listDailyClosesEndpoint, async ({ query }) => {
    const { closes, count } = await listDailyCloses(deps.db, rangeOf(query))
    return { results: count, data: { closes: closes.map((close) => toDailyCloseView(close, deps.psp)) } }
  })

  serveEndpoint(app, getDailyCloseEndpoint, async ({ params }) => read(params.id))

  serveEndpoint(app, exportDifferencesEndpoint, async ({ params, query: { format }, request }) => {
    const { day, content } = await exportDifferences(deps, params.id, { format, actor: adminOf(request) })
    return { name: `fechamento_${day}.${format}`, content }
  })

  serveEndpoint(app, typeBankBalanceEndpoint, async ({ params, body, request }) => {
    await typeBankBalance(deps, { id: params.id, admin: adminOf(request), bankCents: centsFromReais(body.balance) })
    return read(params.id)
  })

  serveEndpoint(app, redoDailyCloseEndpoint, async ({ params, request }) => {
    await redoDailyClose(deps, { id: params.id, admin: adminOf(request) })
    return { message: "O dia será comparado de novo em instantes.", data: await read(params.id) }
  })
}

function toDailyCloseView(close: ListedClose, { name, label }: Psp): DailyCloseView {
  const view = ({ count, amountCents }: { count: number; amountCents: Cents }) => ({
    count,
    amount: reaisFromCents(amountCents),
  })
  return {
    _id: close.id,
    provider: close.provider,
    providerLabel: close.provider === name ? label : close.provider,
    day: close.day,
    status: close.status,
    closedAt: close.closedAt?.toISOString() ?? null,
    nextAttemptAt: close.nextAttemptAt?.toISOString() ?? null,
    lastError: close.lastError,
    differenceCount: close.differenceCount,
    mendedCount: close.mendedCount,
    bankBalance: toBalanceView(close.balance),
    totals: close.totals.map(({ kind, ours, bank }) => ({ kind, ours: view(ours), bank: view(bank) })),
  }
}

function toBalanceView(balance: ListedClose["balance"]): DailyCloseView["bankBalance"] {
  if (balance === null) return null
  return {
    at: balance.at.toISOString(),
    bank: reaisFromCents(balance.bankCents),
    ours: reaisFromCents(balance.ourCents),
    difference: reaisFromCents(balance.differenceCents),
    typed: balance.typedBy !== null,
  }
}

function toDifferenceView(difference: CloseDifference): CloseDifferenceView {
  const reais = (cents: Cents | null) => (cents === null ? null : reaisFromCents(cents))
  return {
    kind: difference.kind,
    reference: difference.reference,
    problem: difference.problem,
    ourAmount: reais(difference.ourCents),
    bankAmount: reais(difference.bankCents),
    ourState: difference.ourState,
    bankState: difference.bankState,
    happenedAt: difference.happenedAt?.toISOString() ?? null,
    mended: difference.isMended,
  }
}
