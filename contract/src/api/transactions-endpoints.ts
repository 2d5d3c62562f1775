import * as z from "zod/mini"
import { sellerStatusFilterWords, sellerStatusOf } from "../vocabulary/transaction-status.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, listQuery } from "./fields.ts"

export const transactionView = z.object({
  _id: id,
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
  paidAt: z.nullable(isoDateTime),
  description: z.string(),
  amount: z.number(),
  grossAmount: z.number(),
  fee: z.number(),
  netAmount: z.number(),
  refundedAmount: z.number(),
  status: z.enum(sellerStatusOf),
  paymentMethod: z.literal("pix"),
  checkoutPage: z.object({ _id: id, title: z.string() }),
  customerInfo: z.object({ name: z.string() }),
  metadata: z.object({
    txid: z.string(),
    endToEndId: z.nullable(z.string()),
    late: z.boolean(),
    duplicate: z.boolean(),
  }),
})
export type TransactionView = z.infer<typeof transactionView>

export const transactionsSummary = z.object({
  count: z.number(),
  totalGross: z.number(),
  totalFee: z.number(),
  totalReceived: z.number(),
  paidCount: z.number(),
  pendingCount: z.number(),
  /** Net of what was paid today and in how many payments, days of São Paulo. */
  todayReceived: z.number(),
  todayPaidCount: z.number(),
})
export type TransactionsSummary = z.infer<typeof transactionsSummary>

export const listTransactionsEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/payments/transactions",
  audience: "seller",
  tag: "Transações",
  summary: "As transações do vendedor, das mais novas às mais antigas, com totais exatos",
  query: listQuery(sellerStatusFilterWords),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.number(),
      data: z.object({ transactions: z.array(transactionView), summary: transactionsSummary }),
    }),
  },
})
