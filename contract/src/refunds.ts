import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { day, handSettlementFields, id, isoDateTime, optionalLine, reais, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"
import { refundOrigins, refundStatuses } from "./vocabulary/transactions.ts"

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
  /** The bank's reason for refusing it; for administrators also ours for not sending it. */
  failureReason: z.nullable(z.string()),
  endToEndId: z.string(),
  /** The return's own id in the Pix network (starts with D). */
  returnId: z.nullable(z.string()),
  createdAt: isoDateTime,
  processedAt: z.nullable(isoDateTime),
  /** The name of the member of the shop's team who asked for it; absent where its owner, a key, an administrator or the bank did. */
  requestedBy: z.optional(z.string()),
  /** The name of who asked for it at the counter, where somebody else confirmed it. */
  askedBy: z.optional(z.string()),
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

const refundParams = z.object({ id: text(200) })
const refundReply = { status: 201, schema: success(z.object({ refund: refundView })) } as const
export const refundDeadline = z.object({ day, hasPassed: z.boolean() })
/** `refundable` is the amount that the caller may still refund; `deadline` is the seller's last day, in São Paulo. */
const refundLimits = { refundable: z.number(), deadline: z.nullable(refundDeadline) }

export const refundTransactionEndpoint = defineEndpoint("refundTransaction", heads.refundTransaction, {
  audience: "seller",
  roles: managers,
  stepUp: "by_data",
  scope: "refunds:write",
  isIdempotent: true,
  tag: "Transações",
  summary: "Estorna uma transação paga, inteira ou em parte: o valor sai do saldo na hora",
  params: refundParams,
  body: refundBody,
  reply: refundReply,
})

export const listRefundsEndpoint = defineEndpoint("listRefunds", heads.listRefunds, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "transactions:read",
  tag: "Transações",
  summary: "Os estornos de uma transação e quanto ainda pode ser estornado",
  params: refundParams,
  reply: { status: 200, schema: success(z.object({ refunds: z.array(refundView), ...refundLimits })) },
})

export const adminRefundTransactionEndpoint = defineEndpoint("adminRefundTransaction", heads.adminRefundTransaction, {
  audience: "admin",
  stepUp: "by_data",
  isIdempotent: true,
  mayWait: true,
  tag: "Administração: transações",
  summary:
    "Estorna uma transação paga de qualquer vendedor, debitada do saldo dele. Com proteção estrita, um valor grande espera a mesma chamada de outro administrador (`pending`; `refund` é o que seria feito)",
  params: refundParams,
  body: refundBody,
  reply: { status: 201, schema: success(z.object({ refund: refundView, ...pendingFields })) },
})

export const adminListRefundsEndpoint = defineEndpoint("adminListRefunds", heads.adminListRefunds, {
  audience: "admin",
  whileFrozen: true,
  tag: "Administração: transações",
  summary: "Os estornos de uma transação de qualquer vendedor",
  params: refundParams,
  reply: { status: 200, schema: success(z.object({ refunds: z.array(adminRefundView), ...refundLimits })) },
})

const params = { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const body = { amount: 25, reason: "Produto devolvido" }

export const exampleRefund = {
  _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
  amount: 25,
  fee: 3.75,
  netAmount: 21.25,
  status: "processing",
  origin: "seller",
  reason: "Produto devolvido",
  failureReason: null,
  endToEndId: "E0000000020261121140000000000019",
  returnId: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  processedAt: null,
} as const

const adminRefund = { ...exampleRefund, origin: "admin" } as const
const listedRefund = { ...adminRefund, settleable: false, handSettlement: null }
const deadline = { day: "2027-02-19", hasPassed: false } as const
const failures = ["transaction_not_found", "transaction_not_refundable", "refund_not_covered"] as const

export const refundsExamples = [
  defineExample(refundTransactionEndpoint, {
    params,
    body,
    data: { refund: exampleRefund },
    failures: [...failures, "refund_too_late", "transaction_forbidden"],
  }),
  defineExample(listRefundsEndpoint, {
    params,
    data: { refunds: [exampleRefund], refundable: 75, deadline },
    failures: ["transaction_not_found", "transaction_forbidden"],
  }),
  defineExample(adminRefundTransactionEndpoint, {
    params,
    body,
    data: { refund: adminRefund },
    failures: [...failures, "second_approver_needed"],
  }),
  defineExample(adminListRefundsEndpoint, {
    params,
    data: { refunds: [listedRefund], refundable: 75, deadline },
    failures: ["transaction_not_found"],
  }),
]
