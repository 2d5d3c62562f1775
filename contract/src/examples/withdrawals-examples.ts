import {
  cancelWithdrawalEndpoint,
  getWithdrawalEndpoint,
  listWithdrawalsEndpoint,
  requestWithdrawalEndpoint,
} from "../api/withdrawals-endpoints.ts"
import type { HoldReason } from "../vocabulary/withdrawal-holds.ts"
import { defineExample } from "./define-example.ts"

/** The one withdrawal of the examples, with the fields that sellers and admins read alike. */
export const withdrawal = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  amount: 50,
  paymentMethod: "pix",
  pixKey: "ana@loja.example",
  pixKeyType: "email",
  bankData: null,
  bankAccount: { bank: "", agency: "", account: "", accountType: "", pixKey: "ana@loja.example" },
  adminNotes: "",
  endToEndId: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  approvedAt: null,
  processedAt: null,
  returnedAmount: 0,
  returnedAt: null,
  heldUntil: null,
  holdReasons: [] as HoldReason[],
} as const

const pending = { ...withdrawal, status: "pending", sentAt: null } as const

const { _id: id } = withdrawal

export const withdrawalsExamples = [
  defineExample(requestWithdrawalEndpoint, {
    body: {
      amount: 50,
      paymentMethod: "pix",
      pixKey: "ana@loja.example",
    },
    reply: {
      status: "success",
      data: {
        withdrawal: pending,
      },
    },
    failures: [
      "insufficient_balance",
      "withdrawals_disabled",
      "withdrawals_frozen",
      "pix_key_not_yours",
      "idempotency_key_reused",
    ],
  }),
  defineExample(listWithdrawalsEndpoint, {
    query: {
      page: "1",
      limit: "100",
      status: "pending",
      search: "ana@loja.example",
      dateFrom: "2026-11-01",
      dateTo: "2026-11-30",
    },
    reply: {
      status: "success",
      results: 1,
      data: {
        withdrawals: [pending],
        summary: {
          available: 1035,
          inProgress: 50,
          withdrawn: 0,
          blocked: 0,
          toCome: 0,
        },
      },
    },
    failures: [],
  }),
  defineExample(getWithdrawalEndpoint, {
    params: { id },
    reply: {
      status: "success",
      data: {
        withdrawal: pending,
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden"],
  }),
  defineExample(cancelWithdrawalEndpoint, {
    params: { id },
    reply: {
      status: "success",
      message: "Saque cancelado. O valor voltou ao seu saldo.",
      data: {
        withdrawal: { ...pending, status: "cancelled", processedAt: "2026-11-21T12:00:00.000Z" },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden", "withdrawal_not_pending"],
  }),
]
