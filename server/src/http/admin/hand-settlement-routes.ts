import { settleRefundEndpoint, settleWithdrawalEndpoint } from "@tilinta/contract/api/hand-settlements-endpoints"
import type { HandSettlementOutcome } from "@tilinta/contract/vocabulary/hand-settlement"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { describeRefunds } from "#domain/money/hand-settlements/describe-refunds"
import type { SettleByHand, SettlementWaitsFor } from "#domain/money/hand-settlements/hand-settlement"
import { settleRefundByHand } from "#domain/money/hand-settlements/settle-refund-by-hand"
import { settleWithdrawalByHand } from "#domain/money/hand-settlements/settle-withdrawal-by-hand"
import { describeWithdrawal } from "#domain/money/withdrawals/list-withdrawals"
import type { HttpDeps } from "#http/deps"
import { toAdminRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { toAdminWithdrawalView } from "#http/withdrawal-view"
import { invariant } from "#kit/invariant"
import { adminOf } from "./require-admin.ts"

export function handSettlementRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "nameUsers">,
): void {
  serveEndpoint(app, settleWithdrawalEndpoint, async ({ params, body, request }) => {
    const { withdrawal, waitsFor } = await settleWithdrawalByHand(deps, wordOf(params, body, request))
    return {
      message: messageOf("Saque", body.outcome, waitsFor),
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
      message: messageOf("Estorno", body.outcome, waitsFor),
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

function messageOf(what: string, outcome: HandSettlementOutcome, waitsFor: SettlementWaitsFor): string {
  if (waitsFor === "second_admin") return "Anotado. Outro administrador precisa dizer o mesmo para que valha."
  if (waitsFor === "sending")
    return "Anotado. Uma tentativa de envio pode estar em curso: confirme de novo em um minuto."
  return outcome === "paid"
    ? `${what} resolvido: foi pago.`
    : `${what} resolvido: não foi pago, e o valor voltou ao saldo.`
}
