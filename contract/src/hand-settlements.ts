import * as z from "zod/mini"
import { adminWithdrawalView } from "./admin-withdrawals.ts"
import { waitingWithdrawal } from "./admin-withdrawals-examples.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { optionalLine, requiredLines, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { adminRefundView, exampleRefund } from "./refunds.ts"
import { handSettlementOutcomes, isEndToEndId } from "./vocabulary/withdrawals.ts"

const idRequired = "Informe o identificador do Pix (endToEndId), que começa com E ou D e tem 32 caracteres."

/** A person's word in the bank's place. */
const settlementBody = z
  .object({
    outcome: z.enum(handSettlementOutcomes, "Diga se foi pago (paid) ou não (not_paid)."),
    endToEndId: z.nullish(optionalLine(64)),
    reason: requiredLines(500, "Escreva o motivo: como você soube o que aconteceu."),
  })
  .check(({ value, issues }) => {
    if (value.outcome !== "paid" || isEndToEndId(value.endToEndId ?? "")) return
    issues.push({ code: "custom", path: ["endToEndId"], message: idRequired, input: value })
  })

const answer = { status: z.literal("success"), message: z.string() }
/** False while a second administrator must say the same, or while it may be being sent. */
const settled = z.boolean()

const params = z.object({ id: text(200) })

export const settleWithdrawalEndpoint = defineEndpoint("settleWithdrawal", heads.settleWithdrawal, {
  audience: "admin",
  stepUp: "always",
  tag: "Administração: saques",
  summary:
    "Resolve manualmente um saque que o banco não responde há mais de um dia; havendo dois administradores, os dois dizem o mesmo",
  params,
  body: settlementBody,
  reply: {
    status: 200,
    schema: z.object({ ...answer, data: z.object({ settled, withdrawal: adminWithdrawalView }) }),
  },
})

export const settleRefundEndpoint = defineEndpoint("settleRefund", heads.settleRefund, {
  audience: "admin",
  stepUp: "always",
  tag: "Administração: transações",
  summary:
    "Resolve manualmente um estorno que o banco não responde há mais de um dia; havendo dois administradores, os dois dizem o mesmo",
  params,
  body: settlementBody,
  reply: { status: 200, schema: z.object({ ...answer, data: z.object({ settled, refund: adminRefundView }) }) },
})

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
const failures = [
  "not_settleable_by_hand",
  "no_third_administrator",
  "order_not_authentic",
  "validation_failed",
] as const

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
