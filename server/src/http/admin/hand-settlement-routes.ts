import { settleRefundEndpoint, settleWithdrawalEndpoint } from "@tilinta/contract/api/hand-settlements-endpoints"
import type { HandSettlementOutcome, HandSettlementWait } from "@tilinta/contract/vocabulary/hand-settlement"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { describeRefunds } from "#domain/money/hand-settlements/describe-refunds"
import type { SettleByHand } from "#domain/money/hand-settlements/hand-settlement"
import { settleRefundByHand } from "#domain/money/hand-settlements/settle-refund-by-hand"
import { settleWithdrawalByHand } from "#domain/money/hand-settlements/settle-withdrawal-by-hand"
import type { Refund } from "#domain/money/refunds/refund"
import { describeWithdrawal } from "#domain/money/withdrawals/list-withdrawals"
import type { HttpDeps } from "#http/deps"
import { toAdminRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { toAdminWithdrawalView } from "#http/withdrawal-view"
import { invariant } from "#kit/invariant"
import { adminOf } from "./require-admin.ts"

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
