import {
  acceptUnmatchedPaymentEndpoint,
  closeUnreadableEntryEndpoint,
  getUnmatchedPaymentEndpoint,
  listUnmatchedPaymentsEndpoint,
  returnUnmatchedPaymentEndpoint,
} from "../api/unmatched-payments-endpoints.ts"
import { defineExample } from "./define-example.ts"

const params = { id: "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const nothing = { sellerGets: 0, fee: 0, payerGets: 0 }
const none = { count: 0, amount: 0 }

const payment = {
  _id: params.id,
  endToEndId: "E0000000020261121140000000000019",
  txid: "0mwqcvpc0ijRYDEvQlAjrrTIIoT05jgM",
  amount: 70,
  paidAt: "2026-11-21T12:00:00.000Z",
  receivedAt: "2026-11-21T12:00:01.000Z",
  reason: "wrong_amount",
  status: "open",
  suggestion: "return",
  effect: {
    accept: { sellerGets: 59.5, fee: 10.5, payerGets: 0 },
    return: { sellerGets: 0, fee: 0, payerGets: 70 },
  },
  transaction: { _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", amount: 100 },
  checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
  user: { _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  refund: null,
  adminNotes: "",
  decidedAt: null,
} as const

const decided = {
  ...payment,
  suggestion: null,
  effect: { accept: nothing, return: nothing },
  adminNotes: "Conferido",
  decidedAt: "2026-11-21T12:10:00.000Z",
} as const

const unreadable = {
  _id: "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27",
  kind: "receipt",
  reference: "E0000000020261121140000000000020",
  amountText: "10,00",
  happenedAt: payment.paidAt,
  firstSeenAt: payment.receivedAt,
} as const

const anotherUnreadable = {
  ...unreadable,
  _id: "0193a4c6-7c1a-7d3e-9b52-4f0d6c8e1a27",
  reference: "E0000000020261121140000000000021",
}

const failures = ["unmatched_payment_not_found", "unmatched_payment_resolved"] as const

export const unmatchedPaymentsExamples = [
  defineExample(listUnmatchedPaymentsEndpoint, {
    query: { page: "1", limit: "100", status: "open", reason: "wrong_amount" },
    reply: {
      status: "success",
      results: 1,
      data: {
        payments: [payment],
        unreadable: [unreadable],
        summary: {
          count: 1,
          totalAmount: 70,
          unknown_txid: none,
          wrong_amount: { count: 1, amount: 70 },
          charge_already_paid: none,
          late: none,
          duplicate: none,
        },
      },
    },
    failures: [],
  }),
  defineExample(getUnmatchedPaymentEndpoint, {
    params,
    reply: { status: "success", data: { payment } },
    failures: ["unmatched_payment_not_found"],
  }),
  defineExample(acceptUnmatchedPaymentEndpoint, {
    params,
    body: { adminNotes: "Conferido" },
    reply: {
      status: "success",
      message: "Pagamento aceito.",
      data: { payment: { ...decided, status: "accepted", transaction: { ...payment.transaction, amount: 70 } } },
    },
    failures: [...failures, "own_unmatched_payment", "second_approver_needed"],
  }),
  defineExample(returnUnmatchedPaymentEndpoint, {
    params,
    body: { adminNotes: "Conferido" },
    reply: {
      status: "success",
      message: "Devolução solicitada ao banco.",
      data: { payment: { ...decided, status: "returning" } },
    },
    failures: [...failures, "transaction_not_refundable", "refund_not_covered", "second_approver_needed"],
  }),
  defineExample(closeUnreadableEntryEndpoint, {
    params: { id: unreadable._id },
    body: { reason: "O banco informou que foi um teste seu" },
    reply: { status: "success", message: "Lançamento encerrado.", data: { unreadable: [anotherUnreadable] } },
    failures: ["unreadable_entry_not_found"],
  }),
]
