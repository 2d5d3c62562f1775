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
} from "@tilinta/contract/admin-withdrawals"
import { settleRefundEndpoint, settleWithdrawalEndpoint } from "@tilinta/contract/hand-settlements"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { addCents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type {
  HandSettlementOutcome,
  HandSettlementWait,
  WithdrawalStatus,
} from "@tilinta/contract/vocabulary/withdrawals"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { type ListFilters, rangeOf, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { saoPauloDay } from "#kit/clock"
import { invariant } from "#kit/errors"
import { toAdminRefundView } from "#money/refunds/routes"
import type { Refund } from "#money/refunds/rules"
import { pendingWriter } from "#people/second-approvals/routes"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import type { ExportDeps } from "#platform/audit/export"
import { noteList } from "#platform/audit/routes"
import type { HttpDeps } from "#start/deps"
import { describeWithdrawal, getAnyWithdrawal, listAllWithdrawals } from "./admin-reads.ts"
import { returnWithdrawal } from "./came-back.ts"
import {
  type Approval,
  approveWithdrawal,
  approveWithdrawals,
  completePaidByHand,
  type DecidedWithdrawal,
  rejectWithdrawal,
} from "./decide.ts"
import { describeRefunds, settleRefundByHand, settleWithdrawalByHand } from "./hand-settlements.ts"
import { exportAllWithdrawals } from "./operator-reads.ts"
import { toAdminWithdrawalView } from "./views.ts"
import type { SettleByHand } from "./withdrawal.ts"

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
    const { format } = query
    const content = await exportAllWithdrawals(deps, filterOf(query), { format, actor: adminOf(request) })
    return { name: `saques_${saoPauloDay(deps.clock.now())}.${format}`, content }
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
    const completed = await completePaidByHand(deps, {
      ...decisionOf(params, body, request),
      bankId: body.bankId,
    })
    return decided("Saque marcado como pago.", completed)
  })

  serveEndpoint(app, returnWithdrawalEndpoint, async ({ params, body, request }) => {
    const { reason, checked, status: seenAs = null } = body
    const input = { id: params.id, reason, isChecked: checked === true, seenAs, admin: adminOf(request) }
    const { waits, ...returned } = await returnWithdrawal(deps, input)
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

export function handSettlementRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "nameUsers" | "protection">,
): void {
  serveEndpoint(app, settleWithdrawalEndpoint, async ({ params, body, request }) => {
    const { withdrawal, waitsFor } = await settleWithdrawalByHand(deps, wordOf(params, body, request))
    return {
      message: waitsFor === null ? withdrawalSettled[body.outcome] : waits[waitsFor],
      data: {
        settled: waitsFor === null,
        withdrawal: toAdminWithdrawalView(await describeWithdrawal(deps, withdrawal), {
          payouts: deps.psp.payouts,
          now: deps.clock.now(),
        }),
      },
    }
  })

  serveEndpoint(app, settleRefundEndpoint, async ({ params, body, request }) => {
    const { refund, waitsFor } = await settleRefundByHand(deps, wordOf(params, body, request))
    const [described] = await describeRefunds(deps, [refund])
    invariant(described !== undefined, "one refund in, one out")
    return {
      message: waitsFor === null ? refundSettled(refund)[body.outcome] : waits[waitsFor],
      data: { settled: waitsFor === null, refund: toAdminRefundView(described) },
    }
  })
}

interface Body {
  outcome: HandSettlementOutcome
  endToEndId?: string | null | undefined
  reason: string
}

function wordOf({ id }: { id: string }, { outcome, endToEndId, reason }: Body, request: FastifyRequest): SettleByHand {
  return { id, outcome, reason, endToEndId: outcome === "paid" ? (endToEndId ?? null) : null, admin: adminOf(request) }
}

const waits = {
  second_admin: "Anotado. Outro administrador precisa dizer o mesmo para que valha.",
  sending: "Anotado. Uma tentativa de envio pode estar em curso: confirme de novo em um minuto.",
} as const satisfies Record<HandSettlementWait, string>

type Messages = Record<HandSettlementOutcome, string>

const withdrawalSettled = {
  paid: "Saque resolvido: foi pago.",
  not_paid: "Saque resolvido: não foi pago, e o valor voltou ao saldo.",
} as const satisfies Messages

/** Money that nobody was credited for goes back to no balance. */
function refundSettled({ chargeId }: Refund): Messages {
  return {
    paid: "Estorno resolvido: foi pago.",
    not_paid:
      chargeId === null
        ? "Estorno resolvido: não foi pago, e o pagamento espera de novo a sua decisão."
        : "Estorno resolvido: não foi pago, e o valor voltou ao saldo.",
  }
}
