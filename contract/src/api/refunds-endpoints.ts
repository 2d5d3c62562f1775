import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { refundOrigins, refundStatuses } from "../vocabulary/refund-status.ts"
import { pendingFields } from "./approvals-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { day, id, isoDateTime, optionalLine, reais, success, text } from "./fields.ts"
import { handSettlementFields } from "./hand-settlement-view.ts"

const refundFields = {
  _id: id,
  amount: z.number(),
  /** The share of the fee that is given back, and the amount that leaves the seller's balance. */
  fee: z.number(),
  netAmount: z.number(),
  status: z.enum(refundStatuses),
  /** The side that began the refund. */
  origin: z.enum(refundOrigins),
  reason: z.string(),
  /** The bank's reason for refusing it. */
  failureReason: z.nullable(z.string()),
  endToEndId: z.string(),
  /** The return's own id in the Pix network (starts with D). */
  returnId: z.nullable(z.string()),
  createdAt: isoDateTime,
  processedAt: z.nullable(isoDateTime),
}

export const refundView = z.object(refundFields)
export type RefundView = z.infer<typeof refundView>

export const adminRefundView = z.object({ ...refundFields, ...handSettlementFields })
export type AdminRefundView = z.infer<typeof adminRefundView>

const amountMissing = "Informe o valor do estorno"

/** Without an amount, all that is left is refunded. No body is as valid as an empty one. */
const refundBody = z.pipe(
  z.nullish(
    z.object({
      amount: z.nullish(
        reais(amountMissing).check(z.refine((value) => value > 0, "O valor do estorno deve ser maior que zero")),
      ),
      reason: z.nullish(optionalLine(140)),
    }),
  ),
  z.transform((body) => ({ amount: body?.amount ?? null, reason: body?.reason ?? "" })),
)

const params = z.object({ id: text(200) })
const refundReply = { status: 201, schema: success(z.object({ refund: refundView })) } as const
export const refundDeadline = z.object({ day, hasPassed: z.boolean() })
/** `refundable` is the amount that the caller may still refund; `deadline` is the seller's last day, in São Paulo. */
const refundLimits = {
  refundable: z.number(),
  deadline: z.nullable(refundDeadline),
}

export const refundTransactionEndpoint = defineEndpoint(heads.refundTransaction, {
  operationId: "refundTransaction",
  audience: "seller",
  stepUp: "by_data",
  scope: "refunds:write",
  isIdempotent: true,
  tag: "Transações",
  summary: "Estorna uma transação paga, inteira ou em parte: o valor sai do saldo na hora",
  params,
  body: refundBody,
  reply: refundReply,
})

export const listRefundsEndpoint = defineEndpoint(heads.listRefunds, {
  operationId: "listRefunds",
  audience: "seller",
  scope: "transactions:read",
  tag: "Transações",
  summary: "Os estornos de uma transação e quanto ainda pode ser estornado",
  params,
  reply: { status: 200, schema: success(z.object({ refunds: z.array(refundView), ...refundLimits })) },
})

export const adminRefundTransactionEndpoint = defineEndpoint(heads.adminRefundTransaction, {
  operationId: "adminRefundTransaction",
  audience: "admin",
  stepUp: "by_data",
  isIdempotent: true,
  mayWait: true,
  tag: "Administração: transações",
  summary:
    "Estorna uma transação paga de qualquer vendedor, debitada do saldo dele. Com proteção estrita, um valor grande espera a mesma chamada de outro administrador (`pending`; `refund` é o que seria feito)",
  params,
  body: refundBody,
  reply: { status: 201, schema: success(z.object({ refund: refundView, ...pendingFields })) },
})

export const adminListRefundsEndpoint = defineEndpoint(heads.adminListRefunds, {
  operationId: "adminListRefunds",
  audience: "admin",
  tag: "Administração: transações",
  summary: "Os estornos de uma transação de qualquer vendedor",
  params,
  reply: { status: 200, schema: success(z.object({ refunds: z.array(adminRefundView), ...refundLimits })) },
})
