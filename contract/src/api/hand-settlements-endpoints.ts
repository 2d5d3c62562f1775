import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { handSettlementOutcomes, isEndToEndId } from "../vocabulary/hand-settlement.ts"
import { adminWithdrawalView } from "./admin-withdrawals-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { optionalLine, requiredLines, text } from "./fields.ts"
import { adminRefundView } from "./refunds-endpoints.ts"

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

export const settleWithdrawalEndpoint = defineEndpoint(heads.settleWithdrawal, {
  operationId: "settleWithdrawal",
  audience: "admin",
  stepUp: "always",
  tag: "Administração: saques",
  summary:
    "Resolve manualmente um saque que o banco não responde há mais de um dia; havendo dois administradores, os dois dizem o mesmo",
  params,
  body: settlementBody,
  reply: { status: 200, schema: z.object({ ...answer, data: z.object({ settled, withdrawal: adminWithdrawalView }) }) },
})

export const settleRefundEndpoint = defineEndpoint(heads.settleRefund, {
  operationId: "settleRefund",
  audience: "admin",
  stepUp: "always",
  tag: "Administração: transações",
  summary:
    "Resolve manualmente um estorno que o banco não responde há mais de um dia; havendo dois administradores, os dois dizem o mesmo",
  params,
  body: settlementBody,
  reply: { status: 200, schema: z.object({ ...answer, data: z.object({ settled, refund: adminRefundView }) }) },
})
