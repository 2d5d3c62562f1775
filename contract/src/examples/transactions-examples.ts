import {
  exportTransactionsEndpoint,
  getTransactionEndpoint,
  listTransactionsEndpoint,
} from "../api/transactions-endpoints.ts"
import { defineExample } from "./define-example.ts"

const transaction = {
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
  receiptVerifications: 2,
  paymentMethod: "pix",
  checkoutPage: {
    _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
    title: "Mentoria de Vendas",
  },
  customerInfo: {
    name: "",
  },
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

export const transactionsExamples = [
  defineExample(listTransactionsEndpoint, {
    query: {
      page: "1",
      limit: "100",
      status: "aprovado",
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
    reply: {
      status: "success",
      data: {
        transaction: {
          ...transaction,
          expiresAt: "2026-11-22T12:00:00.000Z",
          customerInfo: {
            name: "Bruno Lima",
            email: "bruno@cliente.example",
            cpf: "52998224725",
            phone: "11987654321",
          },
        },
      },
    },
    failures: ["transaction_not_found"],
  }),
  defineExample(exportTransactionsEndpoint, {
    query: { status: "aprovado", search: "Mentoria", dateFrom: "2026-11-01", dateTo: "2026-11-30" },
    failures: ["too_many_exports"],
  }),
]
