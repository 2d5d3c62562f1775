import {
  exportAllTransactionsEndpoint,
  getAnyTransactionEndpoint,
  listAllTransactionsEndpoint,
} from "../api/admin-transactions-endpoints.ts"
import { defineExample } from "./define-example.ts"

const transaction = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:03:00.000Z",
  paidAt: "2026-11-21T12:02:58.627Z",
  description: "Um encontro por semana",
  amount: 100,
  grossAmount: 100,
  fee: 15,
  netAmount: 85,
  refundedAmount: 0,
  status: "approved",
  paymentMethod: "pix",
  checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
  customerInfo: { name: "" },
  customerDataErasedAt: null,
  externalReference: "pedido-1042",
  user: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  metadata: {
    txid: "0mwqcvpc0ijRYDEvQlAjrrTIIoT05jgM",
    endToEndId: "E0000000020261121140000000000019",
    late: false,
    duplicate: false,
    order: { loja: "Centro" },
    reason: null,
  },
} as const

export const adminTransactionsExamples = [
  defineExample(listAllTransactionsEndpoint, {
    query: {
      page: "1",
      limit: "100",
      status: "approved",
      paymentMethod: "pix",
      search: "Mentoria",
      dateFrom: "2026-11-01",
      dateTo: "2026-11-30",
    },
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
    reply: {
      status: "success",
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
    },
    failures: ["transaction_not_found"],
  }),
  defineExample(exportAllTransactionsEndpoint, {
    query: { status: "approved", search: "Ana", dateFrom: "2026-11-01", dateTo: "2026-11-30", paymentMethod: "pix" },
    failures: ["too_many_exports"],
  }),
]
