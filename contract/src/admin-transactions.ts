import * as z from "zod/mini"
import { defineEndpoint, defineExample, exampleMonth } from "./define-endpoint.ts"
import {
  exportFormat,
  exportReply,
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
import * as heads from "./heads.ts"
import { countFields, exampleTransaction, transactionFields, transactionMetadata } from "./transactions.ts"
import { adminStatusFilterWords, adminStatusOf } from "./vocabulary/transactions.ts"
import { paymentMethods } from "./vocabulary/withdrawals.ts"

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
  ...countFields,
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
  "refund_asked",
  "refund_confirmed",
  "refund_declined",
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

export const listAllTransactionsEndpoint = defineEndpoint("listAllTransactions", heads.listAllTransactions, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary:
    "As transações de todos, das mais novas às mais antigas, com totais exatos do que os filtros escolhem (`summary.exact` falso: a busca encontra mais do que conta)",
  query: z.object({ ...partOfList(100), ...filters, totals: totalsQuery }).check(inOrder),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.optional(z.number()),
      data: z.object({ transactions: z.array(adminTransactionView), summary: z.optional(adminTransactionsSummary) }),
    }),
  },
})

export const exportAllTransactionsEndpoint = defineEndpoint("exportAllTransactions", heads.exportAllTransactions, {
  audience: "admin",
  urgency: "last",
  tag,
  summary: "As transações que os filtros escolhem, todas, num arquivo `transacoes_{AAAA-MM-DD}`: CSV ou planilha",
  query: z.object({ ...filters, ...exportFormat }).check(inOrder),
  reply: exportReply,
})

export const getAnyTransactionEndpoint = defineEndpoint("getAnyTransaction", heads.getAnyTransaction, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Uma transação, com o que aconteceu com ela e os seus lançamentos contábeis",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ transaction: adminTransactionDetails })) },
})

const transaction = {
  ...exampleTransaction,
  updatedAt: "2026-11-21T12:03:00.000Z",
  paidAt: "2026-11-21T12:02:58.627Z",
  status: "approved",
  user: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  metadata: { ...exampleTransaction.metadata, reason: null },
} as const

export const adminTransactionsExamples = [
  defineExample(listAllTransactionsEndpoint, {
    query: { page: "1", limit: "100", status: "approved", paymentMethod: "pix", search: "Mentoria", ...exampleMonth },
    reply: {
      status: "success",
      results: 1,
      data: {
        transactions: [transaction],
        summary: {
          count: 1,
          exact: true,
          totalGross: 100,
          totalFee: 15,
          totalNet: 85,
          totalRefunded: 0,
          pendingGross: 0,
          approvedCount: 1,
          pendingCount: 0,
          failedCount: 0,
          refundedCount: 0,
        },
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(getAnyTransactionEndpoint, {
    params: { id: transaction._id },
    data: {
      transaction: {
        ...transaction,
        receiptVerifications: 2,
        timeline: [
          { event: "created", label: "Criada", at: "2026-11-21T12:00:00.000Z" },
          { event: "code_shown", label: "Código Pix exibido", at: "2026-11-21T12:00:00.214Z" },
          { event: "paid", label: "Paga", at: "2026-11-21T12:02:58.627Z" },
          { event: "booked", label: "Contabilizada", at: "2026-11-21T12:03:00.018Z" },
          { event: "notified", label: "Vendedor avisado por e-mail", at: "2026-11-21T12:03:01.330Z" },
        ],
        ledger: [
          {
            at: "2026-11-21T12:03:00.018Z",
            debit: "Conta no provedor Pix",
            credit: "Saldo disponível do vendedor",
            amount: 100,
          },
          {
            at: "2026-11-21T12:03:00.018Z",
            debit: "Saldo disponível do vendedor",
            credit: "Receita de taxas",
            amount: 15,
          },
        ],
      },
    },
    failures: ["transaction_not_found"],
  }),
  defineExample(exportAllTransactionsEndpoint, {
    query: { status: "approved", search: "Ana", ...exampleMonth, paymentMethod: "pix" },
    failures: ["too_many_exports"],
  }),
]
