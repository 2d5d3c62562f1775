import {
  approveWithdrawalEndpoint,
  approveWithdrawalsEndpoint,
  completeWithdrawalEndpoint,
  exportAllWithdrawalsEndpoint,
  getAnyWithdrawalEndpoint,
  listAllWithdrawalsEndpoint,
  rejectWithdrawalEndpoint,
  returnWithdrawalEndpoint,
} from "../api/admin-withdrawals-endpoints.ts"
import type { HoldReason } from "../vocabulary/withdrawal-holds.ts"
import { defineExample } from "./define-example.ts"

const params = { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" }

const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" } as const

export const waitingWithdrawal = {
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
  heldUntil: null,
  holdReasons: [] as HoldReason[],
  status: "pending",
  paidByHand: false,
  returnable: false,
  settleable: false,
  handSettlement: null,
  waitsBecause: null,
  approvals: 0,
  approvalsNeeded: 1,
  firstApproval: null,
  user: {
    _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
    name: "Ana Souza",
    email: "ana@loja.example",
  },
  keyHolder: "unchecked",
  facts: {
    sellerSince: "2025-03-02T12:00:00.000Z",
    paidCount: 12,
    usualAmount: 45,
    destination: "same",
    inProfile: true,
    profileChangedAt: null,
    balanceAfter: 310.4,
    openRefunds: { count: 0, amount: 0 },
  },
} as const

export const adminWithdrawalsExamples = [
  defineExample(listAllWithdrawalsEndpoint, {
    query: {
      page: "1",
      limit: "100",
      status: "pending",
      search: "Ana",
      dateFrom: "2026-11-01",
      dateTo: "2026-11-30",
      order: "oldest",
    },
    reply: {
      status: "success",
      results: 28,
      data: {
        withdrawals: [waitingWithdrawal],
        summary: {
          count: 28,
          totalAmount: 1400,
          pending: {
            count: 28,
            amount: 1400,
          },
          approved: {
            count: 0,
            amount: 0,
          },
          processing: {
            count: 0,
            amount: 0,
          },
          completed: {
            count: 0,
            amount: 0,
          },
          rejected: {
            count: 0,
            amount: 0,
          },
          cancelled: {
            count: 0,
            amount: 0,
          },
        },
      },
    },
    failures: [],
  }),
  defineExample(getAnyWithdrawalEndpoint, {
    params,
    reply: { status: "success", data: { withdrawal: waitingWithdrawal } },
    failures: ["withdrawal_not_found"],
  }),
  defineExample(approveWithdrawalEndpoint, {
    params,
    body: {
      adminNotes: "Conferido",
    },
    reply: {
      status: "success",
      message: "Saque aprovado com sucesso!",
      data: {
        withdrawal: {
          ...waitingWithdrawal,
          adminNotes: "Conferido",
          approvedAt: "2026-11-21T12:00:00.000Z",
          status: "approved",
          keyHolder: null,
          approvals: 1,
          facts: null,
        },
      },
    },
    failures: [
      "withdrawal_not_found",
      "withdrawal_not_pending",
      "own_withdrawal",
      "withdrawal_seller_inactive",
      "withdrawal_held",
      "withdrawals_disabled",
      "second_approver_needed",
      "admin_rights_pending",
    ],
  }),
  defineExample(rejectWithdrawalEndpoint, {
    params,
    body: {
      adminNotes: "Dados divergentes",
    },
    reply: {
      status: "success",
      message: "Saque rejeitado. O valor voltou ao saldo do vendedor.",
      data: {
        withdrawal: {
          ...waitingWithdrawal,
          adminNotes: "Dados divergentes",
          processedAt: "2026-11-21T12:00:00.000Z",
          status: "rejected",
          keyHolder: null,
          facts: null,
        },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_not_pending", "own_withdrawal"],
  }),
  defineExample(completeWithdrawalEndpoint, {
    params,
    body: {
      adminNotes: "TED feita às 10h",
    },
    reply: {
      status: "success",
      message: "Saque marcado como concluído.",
      data: {
        withdrawal: {
          ...waitingWithdrawal,
          paymentMethod: "bank_transfer",
          pixKey: null,
          pixKeyType: null,
          bankData,
          bankAccount: { ...bankData, pixKey: "" },
          adminNotes: "TED feita às 10h",
          approvedAt: "2026-11-21T12:00:00.000Z",
          processedAt: "2026-11-21T12:00:00.000Z",
          status: "completed",
          approvals: 1,
          paidByHand: true,
          keyHolder: null,
          facts: null,
        },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_not_completable", "own_withdrawal"],
  }),
  defineExample(returnWithdrawalEndpoint, {
    params,
    body: { reason: "A conta informada não existe" },
    reply: {
      status: "success",
      message: "Saque devolvido: o valor voltou ao saldo do vendedor.",
      data: {
        withdrawal: {
          ...waitingWithdrawal,
          paymentMethod: "bank_transfer",
          pixKey: null,
          pixKeyType: null,
          bankData,
          bankAccount: { ...bankData, pixKey: "" },
          adminNotes: "A conta informada não existe",
          approvedAt: "2026-11-21T12:00:00.000Z",
          processedAt: "2026-11-21T13:00:00.000Z",
          returnedAt: "2026-11-21T13:00:00.000Z",
          heldUntil: null,
          holdReasons: [] as HoldReason[],
          status: "rejected",
          paidByHand: true,
          keyHolder: null,
          facts: null,
        },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_not_returnable", "own_withdrawal", "second_approver_needed"],
  }),
  defineExample(exportAllWithdrawalsEndpoint, {
    query: { status: "pending", search: "Ana", dateFrom: "2026-11-01", dateTo: "2026-11-30" },
    failures: ["too_many_exports"],
  }),
  defineExample(approveWithdrawalsEndpoint, {
    body: { ids: [params.id], adminNotes: "Conferidos" },
    reply: {
      status: "success",
      message: "1 saque aprovado.",
      data: {
        approvals: [
          {
            _id: params.id,
            code: null,
            message: "Saque aprovado com sucesso!",
            withdrawal: {
              ...waitingWithdrawal,
              status: "approved",
              approvals: 1,
              adminNotes: "Conferidos",
              approvedAt: "2026-11-21T12:00:00.000Z",
              keyHolder: null,
              facts: null,
            },
          },
        ],
        approved: { count: 1, amount: 50 },
      },
    },
    failures: ["validation_failed", "idempotency_key_reused"],
  }),
]
