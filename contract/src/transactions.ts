import * as z from "zod/mini"
import { orderPairs, referenceQuery } from "./charge-pages.ts"
import { defineEndpoint, defineExample, exampleMonth } from "./define-endpoint.ts"
import {
  exportFormat,
  exportReply,
  id,
  inOrder,
  isoDateTime,
  listFilters,
  malformed,
  pageReference,
  partOfList,
  success,
  text,
  totalsQuery,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { bookReaders } from "./vocabulary/team.ts"
import { sellerStatusFilterWords, sellerStatusOf } from "./vocabulary/transactions.ts"

/** Fields that sellers and admins read alike. */
export const transactionFields = {
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
  paymentMethod: z.literal("pix"),
  checkoutPage: pageReference,
  customerInfo: z.object({ name: z.string() }),
  /** When the payer's data were erased: they are only kept for a while, and a payer may ask for it. */
  customerDataErasedAt: z.nullable(isoDateTime),
  /** The order's reference, which is that of its page. */
  externalReference: z.nullable(z.string()),
}

export const transactionMetadata = z.object({
  txid: z.nullable(z.string()),
  endToEndId: z.nullable(z.string()),
  late: z.boolean(),
  duplicate: z.boolean(),
  /** The seller's own pairs. */
  order: orderPairs,
})

export const transactionView = z.object({
  ...transactionFields,
  status: z.enum(sellerStatusOf),
  /** How often somebody verified its receipt. Absent in events. */
  receiptVerifications: z.optional(z.number()),
  metadata: transactionMetadata,
})
export type TransactionView = z.infer<typeof transactionView>

/** Everything that the seller may know about one of their transactions. */
export const transactionDetail = z.extend(transactionView, {
  expiresAt: isoDateTime,
  /** At most one of the documents: a company gives a CNPJ. */
  customerInfo: z.object({
    name: z.string(),
    email: z.string(),
    cpf: z.string(),
    cnpj: z.string(),
    phone: z.string(),
  }),
})
export type TransactionDetail = z.infer<typeof transactionDetail>

export const countFields = {
  /** Every transaction, paid or not. */
  count: z.number(),
  /** False when a search finds more than it counts: all figures are then those of its newest matches. */
  exact: z.boolean(),
}

export const transactionsSummary = z.object({
  ...countFields,
  /** Amounts of what was paid, less what was given back: totalGross − totalFee = totalReceived. */
  totalGross: z.number(),
  totalFee: z.number(),
  totalReceived: z.number(),
  totalRefunded: z.number(),
  paidCount: z.number(),
  pendingCount: z.number(),
  pendingGross: z.number(),
  /** Net amount, less what was given back, and number of the payments of today, by São Paulo's day. */
  todayReceived: z.number(),
  todayPaidCount: z.number(),
})
export type TransactionsSummary = z.infer<typeof transactionsSummary>

const pageQuery = z.optional(
  z
    .string("Parâmetro inválido.")
    .check(z.refine((value) => /^[0-9a-f-]{36}$/.test(value), { error: "Parâmetro inválido.", params: malformed })),
)

/** The filters of the list, which the file has too. */
const sellersFilters = {
  ...listFilters(sellerStatusFilterWords),
  /** Those of the order with exactly this reference. */
  externalReference: referenceQuery,
  /** Those of the shop's counter. */
  kind: z.optional(z.enum(["counter"], "Tipo desconhecido.")),
  /** Those of one charge page, by its `_id`. */
  checkoutPage: pageQuery,
}

export const listTransactionsEndpoint = defineEndpoint("listTransactions", heads.listTransactions, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "transactions:read",
  tag: "Transações",
  summary:
    "As transações do vendedor, das mais novas às mais antigas, com totais exatos (`summary.exact` falso: a busca encontra mais do que conta)",
  query: z.object({ ...partOfList(100), ...sellersFilters, totals: totalsQuery }).check(inOrder),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.optional(z.number()),
      data: z.object({ transactions: z.array(transactionView), summary: z.optional(transactionsSummary) }),
    }),
  },
})

export const getTransactionEndpoint = defineEndpoint("getTransaction", heads.getTransaction, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "transactions:read",
  tag: "Transações",
  summary: "Uma transação do vendedor, com os dados que o pagador informou",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ transaction: transactionDetail })) },
})

export const exportTransactionsEndpoint = defineEndpoint("exportTransactions", heads.exportTransactions, {
  audience: "seller",
  roles: bookReaders,
  scope: "transactions:read",
  urgency: "last",
  tag: "Transações",
  summary:
    "As transações do vendedor que os filtros escolhem, todas, num arquivo `transacoes_{AAAA-MM-DD}`: CSV ou planilha",
  query: z.object({ ...sellersFilters, ...exportFormat }).check(inOrder),
  reply: exportReply,
})

export const exampleTransaction = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  paidAt: "2026-11-21T14:16:06.627Z",
  description: "Um encontro por semana",
  amount: 100,
  grossAmount: 100,
  fee: 15,
  netAmount: 85,
  refundedAmount: 0,
  status: "pago",
  paymentMethod: "pix",
  checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
  customerInfo: { name: "" },
  customerDataErasedAt: null,
  externalReference: "pedido-1042",
  metadata: {
    txid: "0mwqcvpc0ijRYDEvQlAjrrTIIoT05jgM",
    endToEndId: "E0000000020261121140000000000019",
    late: false,
    duplicate: false,
    order: { loja: "Centro" },
  },
} as const

const transaction = { ...exampleTransaction, receiptVerifications: 2 }

const filtered = { status: "aprovado", search: "Mentoria", ...exampleMonth } as const

export const transactionsExamples = [
  defineExample(listTransactionsEndpoint, {
    query: { page: "1", limit: "100", ...filtered },
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
          totalReceived: 85,
          totalRefunded: 0,
          paidCount: 1,
          pendingCount: 0,
          pendingGross: 0,
          todayReceived: 85,
          todayPaidCount: 1,
        },
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(getTransactionEndpoint, {
    params: { id: transaction._id },
    data: {
      transaction: {
        ...transaction,
        expiresAt: "2026-11-22T12:00:00.000Z",
        customerInfo: {
          name: "Bruno Lima",
          email: "bruno@cliente.example",
          cpf: "52998224725",
          cnpj: "",
          phone: "11987654321",
        },
      },
    },
    failures: ["transaction_not_found"],
  }),
  defineExample(exportTransactionsEndpoint, {
    query: filtered,
    failures: ["too_many_exports"],
  }),
]
