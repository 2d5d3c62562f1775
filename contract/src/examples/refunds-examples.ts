import {
  adminListRefundsEndpoint,
  adminRefundTransactionEndpoint,
  listRefundsEndpoint,
  refundTransactionEndpoint,
} from "../api/refunds-endpoints.ts"
import { defineExample } from "./define-example.ts"

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
    reply: { status: "success", data: { refund: exampleRefund } },
    failures: [...failures, "refund_too_late", "transaction_forbidden"],
  }),
  defineExample(listRefundsEndpoint, {
    params,
    reply: { status: "success", data: { refunds: [exampleRefund], refundable: 75, deadline } },
    failures: ["transaction_not_found", "transaction_forbidden"],
  }),
  defineExample(adminRefundTransactionEndpoint, {
    params,
    body,
    reply: { status: "success", data: { refund: adminRefund } },
    failures: [...failures, "second_approver_needed"],
  }),
  defineExample(adminListRefundsEndpoint, {
    params,
    reply: { status: "success", data: { refunds: [listedRefund], refundable: 75, deadline } },
    failures: ["transaction_not_found"],
  }),
]
