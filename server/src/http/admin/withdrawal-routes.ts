import {
  type AdminWithdrawalsSummary,
  type AdminWithdrawalView,
  approveWithdrawalEndpoint,
  approveWithdrawalsEndpoint,
  completeWithdrawalEndpoint,
  exportAllWithdrawalsEndpoint,
  getAnyWithdrawalEndpoint,
  listAllWithdrawalsEndpoint,
  rejectWithdrawalEndpoint,
  returnWithdrawalEndpoint,
} from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { addCents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { type Approval, approveWithdrawals } from "#domain/money/withdrawals/approve-withdrawals"
import {
  approveWithdrawal,
  completePaidByHand,
  type DecidedWithdrawal,
  rejectWithdrawal,
} from "#domain/money/withdrawals/decide-withdrawal"
import { exportAllWithdrawals } from "#domain/money/withdrawals/export-withdrawals"
import { describeWithdrawal, getAnyWithdrawal, listAllWithdrawals } from "#domain/money/withdrawals/list-withdrawals"
import { returnWithdrawal } from "#domain/money/withdrawals/return-withdrawal"
import type { ExportDeps } from "#domain/platform/audit/start-export"
import { pendingWriter } from "#http/approval-view"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { type ListFilters, searchAndDays } from "#http/list-filters"
import { rangeOf } from "#http/requested-range"
import { serveEndpoint } from "#http/serve-endpoint"
import { toAdminWithdrawalView } from "#http/withdrawal-view"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { noteList } from "./note-list.ts"
import { adminOf } from "./require-admin.ts"

const approvedText = "Saque aprovado com sucesso!"
const returnedText = "Saque devolvido: o valor voltou ao saldo do vendedor."
const halfReturnedText = "Anotado. O valor volta ao saldo quando outro administrador aprovar o mesmo."
const halfText = "Primeira aprovação registrada. O saque espera a de outro administrador."

export function adminWithdrawalRoutes(
  app: FastifyInstance,
  deps: ExportDeps & Pick<HttpDeps, "psp" | "nameUsers" | "protection" | "accessNotes">,
): void {
  const { payouts } = deps.psp
  const pendingOf = pendingWriter(deps.nameUsers)
  const viewOf = (withdrawal: ListedWithdrawal) => toAdminWithdrawalView(withdrawal, { payouts, now: deps.clock.now() })

  const decided = async (message: string, { withdrawal }: DecidedWithdrawal) => ({
    message,
    data: { withdrawal: viewOf(await describeWithdrawal(deps, withdrawal)) },
  })

  serveEndpoint(app, listAllWithdrawalsEndpoint, async ({ query, request }) => {
    const { withdrawals, summary } = await listAllWithdrawals(deps, filterOf(query), rangeOf(query))
    noteList(deps.accessNotes, request, { list: "withdrawals", query, results: summary.count })
    return {
      results: summary.count,
      data: {
        withdrawals: withdrawals.map(viewOf),
        summary: toSummaryView(summary),
      },
    }
  })

  serveEndpoint(app, exportAllWithdrawalsEndpoint, async ({ query, request }) => {
    const content = await exportAllWithdrawals(deps, filterOf(query), adminOf(request))
    return { name: `saques_${saoPauloDay(deps.clock.now())}.csv`, content }
  })

  serveEndpoint(app, getAnyWithdrawalEndpoint, async ({ params }) => {
    const withdrawal = await getAnyWithdrawal(deps, params.id)
    return { withdrawal: viewOf(withdrawal) }
  })

  serveEndpoint(app, approveWithdrawalEndpoint, async ({ params, body, request }) => {
    const approved = await approveWithdrawal(deps, decisionOf(params, body, request))
    return decided(approved.waits === null ? approvedText : halfText, approved)
  })

  serveEndpoint(app, approveWithdrawalsEndpoint, async ({ body, request }) => {
    const batch = { ids: body.ids, admin: adminOf(request), adminNotes: body.adminNotes ?? "" }
    const approvals = await approveWithdrawals(deps, { ...batch, idempotencyKey: idempotencyKeyOf(request) })
    return toBatchView(approvals, viewOf)
  })

  serveEndpoint(app, rejectWithdrawalEndpoint, async ({ params, body, request }) => {
    const rejected = await rejectWithdrawal(deps, decisionOf(params, body, request))
    return decided("Saque rejeitado. O valor voltou ao saldo do vendedor.", rejected)
  })

  serveEndpoint(app, completeWithdrawalEndpoint, async ({ params, body, request }) => {
    const completed = await completePaidByHand(deps, decisionOf(params, body, request))
    return decided("Saque marcado como pago.", completed)
  })

  serveEndpoint(app, returnWithdrawalEndpoint, async ({ params, body, request }) => {
    const wish = { id: params.id, reason: body.reason, admin: adminOf(request) }
    const { waits, ...returned } = await returnWithdrawal(deps, wish)
    const { message, data } = await decided(waits === null ? returnedText : halfReturnedText, returned)
    return { message, data: { ...data, ...(await pendingOf(waits)) } }
  })
}

function toBatchView(approvals: Approval[], viewOf: (withdrawal: ListedWithdrawal) => AdminWithdrawalView) {
  const approved = approvals.filter(({ refusal }) => refusal === null)
  const amountCents = approved.reduce((sum, each) => addCents(sum, each.withdrawal?.amountCents ?? noMoney), noMoney)
  return {
    message: batchMessage(approved.length, approvals.filter(({ isHalf }) => isHalf).length, approvals.length),
    data: {
      approvals: approvals.map(({ id, refusal, isHalf, withdrawal }) => ({
        _id: id,
        code: refusal,
        message: refusal === null ? approvedText : isHalf ? halfText : errorMessages[refusal],
        withdrawal: withdrawal && viewOf(withdrawal),
      })),
      approved: { count: approved.length, amount: reaisFromCents(amountCents) },
    },
  }
}

function batchMessage(approved: number, half: number, all: number): string {
  const done = approved === 1 ? "1 saque aprovado" : `${approved} saques aprovados`
  const waiting = half === 0 ? done : `${done}; ${half} à espera de outro administrador`
  const refused = all - approved - half
  if (refused === 0) return `${waiting}.`
  return `${waiting}; ${refused} não ${refused === 1 ? "pôde" : "puderam"} ser ${refused === 1 ? "aprovado" : "aprovados"}.`
}

function filterOf(query: ListFilters & { status?: WithdrawalStatus | undefined }) {
  return { statuses: query.status === undefined ? undefined : [query.status], ...searchAndDays(query) }
}

function decisionOf({ id }: { id: string }, { adminNotes }: { adminNotes: string }, request: FastifyRequest) {
  return { id, adminNotes, admin: adminOf(request) }
}

type ListedWithdrawal = Awaited<ReturnType<typeof getAnyWithdrawal>>
type Summary = Awaited<ReturnType<typeof listAllWithdrawals>>["summary"]

function toSummaryView({ count, amountCents, totals }: Summary): AdminWithdrawalsSummary {
  const of = (status: WithdrawalStatus) => {
    const total = totals.find((each) => each.status === status)
    return { count: total?.count ?? 0, amount: total === undefined ? 0 : reaisFromCents(total.amountCents) }
  }
  return {
    count,
    totalAmount: reaisFromCents(amountCents),
    pending: of("pending"),
    approved: of("approved"),
    processing: of("processing"),
    completed: of("completed"),
    rejected: of("rejected"),
    cancelled: of("cancelled"),
  }
}
