import {
  cancelWithdrawalEndpoint,
  listWithdrawalsEndpoint,
  requestWithdrawalEndpoint,
} from "../api/withdrawals-endpoints.ts"
import { defineExample } from "./define-example.ts"

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
        withdrawal: {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          amount: 50,
          paymentMethod: "pix",
          pixKey: "ana@loja.example",
          pixKeyType: "email",
          bankData: null,
          bankAccount: {
            bank: "",
            agency: "",
            account: "",
            accountType: "",
            pixKey: "ana@loja.example",
          },
          adminNotes: "",
          endToEndId: null,
          createdAt: "2026-11-21T12:00:00.000Z",
          approvedAt: null,
          processedAt: null,
          returnedAmount: 0,
          returnedAt: null,
          sentAt: null,
          status: "pending",
        },
      },
    },
    failures: ["insufficient_balance", "withdrawals_disabled", "idempotency_key_reused"],
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
        withdrawals: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            amount: 50,
            paymentMethod: "pix",
            pixKey: "ana@loja.example",
            pixKeyType: "email",
            bankData: null,
            bankAccount: {
              bank: "",
              agency: "",
              account: "",
              accountType: "",
              pixKey: "ana@loja.example",
            },
            adminNotes: "",
            endToEndId: null,
            createdAt: "2026-11-21T12:00:00.000Z",
            approvedAt: null,
            processedAt: null,
            returnedAmount: 0,
            returnedAt: null,
            sentAt: null,
            status: "pending",
          },
        ],
        summary: {
          available: 1035,
          inProgress: 50,
          withdrawn: 0,
          blocked: 0,
        },
      },
    },
    failures: [],
  }),
  defineExample(cancelWithdrawalEndpoint, {
    params: {
      id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
    },
    reply: {
      status: "success",
      message: "Saque cancelado. O valor voltou ao seu saldo.",
      data: {
        withdrawal: {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          amount: 50,
          paymentMethod: "pix",
          pixKey: "ana@loja.example",
          pixKeyType: "email",
          bankData: null,
          bankAccount: {
            bank: "",
            agency: "",
            account: "",
            accountType: "",
            pixKey: "ana@loja.example",
          },
          adminNotes: "",
          endToEndId: null,
          createdAt: "2026-11-21T12:00:00.000Z",
          approvedAt: null,
          processedAt: "2026-11-21T12:00:00.000Z",
          returnedAmount: 0,
          returnedAt: null,
          sentAt: null,
          status: "cancelled",
        },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden", "withdrawal_not_pending"],
  }),
]
