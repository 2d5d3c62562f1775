import { settleRefundEndpoint, settleWithdrawalEndpoint } from "../api/hand-settlements-endpoints.ts"
import { waitingWithdrawal } from "./admin-withdrawals-examples.ts"
import { defineExample } from "./define-example.ts"
import { exampleRefund } from "./refunds-examples.ts"

const endToEndId = "E0000000020261121140000000000019"
const body = { outcome: "paid", endToEndId, reason: "O extrato do banco mostra o Pix" } as const
const handSettlement = {
  ...body,
  saidBy: { _id: "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Carla Dias" },
  saidAt: "2026-11-23T11:40:00.000Z",
  confirmedBy: { _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Beto Lima" },
  settledAt: "2026-11-23T12:00:00.000Z",
  waitsFor: null,
}
const failures = ["not_settleable_by_hand", "validation_failed"] as const

export const handSettlementsExamples = [
  defineExample(settleWithdrawalEndpoint, {
    params: { id: waitingWithdrawal._id },
    body,
    reply: {
      status: "success",
      message: "Saque resolvido: foi pago.",
      data: {
        settled: true,
        withdrawal: {
          ...waitingWithdrawal,
          endToEndId,
          approvedAt: "2026-11-21T12:00:00.000Z",
          processedAt: "2026-11-23T12:00:00.000Z",
          status: "completed",
          handSettlement,
          facts: null,
        },
      },
    },
    failures: ["withdrawal_not_found", "own_withdrawal", ...failures],
  }),
  defineExample(settleRefundEndpoint, {
    params: { id: exampleRefund._id },
    body,
    reply: {
      status: "success",
      message: "Estorno resolvido: foi pago.",
      data: {
        settled: true,
        refund: {
          ...exampleRefund,
          status: "completed",
          returnId: endToEndId,
          processedAt: "2026-11-23T12:00:00.000Z",
          settleable: false,
          handSettlement,
        },
      },
    },
    failures: ["refund_not_found", "own_refund", ...failures],
  }),
]
