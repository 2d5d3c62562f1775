import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { paymentMethods } from "../vocabulary/payment-methods.ts"
import { adminStatusFilterWords, adminStatusOf } from "../vocabulary/transaction-status.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  inOrder,
  isoDateTime,
  ledgerLine,
  listFilters,
  partOfList,
  success,
  text,
  totalsQuery,
  userReference,
} from "./fields.ts"
import { transactionFields, transactionMetadata } from "./transactions-endpoints.ts"

export const adminTransactionMetadata = z.extend(transactionMetadata, { reason: z.nullable(z.literal("expired")) })

const adminTransactionFields = {
  ...transactionFields,
  status: z.enum(adminStatusOf),
  user: userReference,
  metadata: adminTransactionMetadata,
}

export const adminTransactionView = z.object(adminTransactionFields)
export type AdminTransactionView = z.infer<typeof adminTransactionView>

export const adminTransactionsSummary = z.object({
  /** Every transaction, paid or not. */
  count: z.number(),
  /** False when a search finds more than it counts: all figures are then those of its newest matches. */
  exact: z.boolean(),
  /** Amounts of what was paid, less what was given back: totalGross − totalFee = totalNet. */
  totalGross: z.number(),
  totalFee: z.number(),
  totalNet: z.number(),
  totalRefunded: z.number(),
  pendingGross: z.number(),
  approvedCount: z.number(),
  pendingCount: z.number(),
  failedCount: z.number(),
  refundedCount: z.number(),
})
export type AdminTransactionsSummary = z.infer<typeof adminTransactionsSummary>

const timelineEvents = [
  "created",
  "code_shown",
  "paid",
  "booked",
  "notified",
  "disputed",
  "dispute_closed",
  "refunded",
  "expired",
  "cancelled",
  "failed",
] as const
export type TimelineEvent = (typeof timelineEvents)[number]

export const adminTransactionDetails = z.object({
  ...adminTransactionFields,
  /** How often somebody verified its receipt. */
  receiptVerifications: z.number(),
  /** Events in chronological order. */
  timeline: z.array(z.object({ event: z.enum(timelineEvents), label: z.string(), at: isoDateTime })),
  /** The transaction's postings, from debited to credited account, by their Portuguese names. */
  ledger: z.array(ledgerLine),
})
export type AdminTransactionDetails = z.infer<typeof adminTransactionDetails>

const tag = "Administração: transações"

const filters = {
  ...listFilters(adminStatusFilterWords),
  paymentMethod: z.optional(z.enum(paymentMethods, "Método de pagamento desconhecido.")),
}

export const listAllTransactionsEndpoint = defineEndpoint(heads.listAllTransactions, {
  operationId: "listAllTransactions",
  audience: "admin",
  tag,
  summary:
    "As transações de todos, das mais novas às mais antigas, com totais exatos do que os filtros escolhem (`summary.exact` falso: a busca encontra mais do que conta)",
  query: z
    .object({
      ...partOfList(100),
      ...filters,
      totals: totalsQuery,
    })
    .check(inOrder),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.optional(z.number()),
      data: z.object({
        transactions: z.array(adminTransactionView),
        summary: z.optional(adminTransactionsSummary),
      }),
    }),
  },
})

export const exportAllTransactionsEndpoint = defineEndpoint(heads.exportAllTransactions, {
  operationId: "exportAllTransactions",
  audience: "admin",
  urgency: "last",
  tag,
  summary: "As transações que os filtros escolhem, todas, em CSV (`transacoes_{AAAA-MM-DD}.csv`)",
  query: z.object(filters).check(inOrder),
  reply: { status: 200, file: ["text/csv"] },
})

export const getAnyTransactionEndpoint = defineEndpoint(heads.getAnyTransaction, {
  operationId: "getAnyTransaction",
  audience: "admin",
  tag,
  summary: "Uma transação, com o que aconteceu com ela e os seus lançamentos contábeis",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ transaction: adminTransactionDetails })) },
})
