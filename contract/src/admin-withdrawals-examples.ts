import {
  approveWithdrawalEndpoint,
  approveWithdrawalsEndpoint,
  completeWithdrawalEndpoint,
  exportAllWithdrawalsEndpoint,
  getAnyWithdrawalEndpoint,
  listAllWithdrawalsEndpoint,
  rejectWithdrawalEndpoint,
  returnWithdrawalEndpoint,
} from "./admin-withdrawals.ts"
import { defineExample, exampleMonth } from "./define-endpoint.ts"
import { withdrawal } from "./withdrawals.ts"

const params = { id: withdrawal._id }

const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" } as const

export const waitingWithdrawal = {
  ...withdrawal,
  status: "pending",
  paidByHand: false,
  returnable: false,
  settleable: false,
  handSettlement: null,
  waitsBecause: null,
  approvals: 0,
  approvalsNeeded: 1,
  firstApproval: null,
  user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  claim: null,
  remittance: null,
  bankId: null,
  destinationId: "0193a4c9-7c1a-7d3e-9b52-4f0d6c8e1a27",
  owner: "unknown",
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

const decided = { ...waitingWithdrawal, facts: null } as const

const approved = { ...decided, status: "approved", approvals: 1, approvedAt: "2026-11-21T12:00:00.000Z" } as const

const byBankTransfer = {
  ...decided,
  paymentMethod: "bank_transfer",
  pixKey: null,
  pixKeyType: null,
  bankData,
  bankAccount: { ...bankData, pixKey: "" },
  paidByHand: true,
  approvedAt: "2026-11-21T12:00:00.000Z",
} as const

const none = { count: 0, amount: 0 }

export const adminWithdrawalsExamples = [
  defineExample(listAllWithdrawalsEndpoint, {
    query: { page: "1", limit: "100", status: "pending", search: "Ana", ...exampleMonth, order: "oldest" },
    reply: {
      status: "success",
      results: 28,
      data: {
        withdrawals: [waitingWithdrawal],
        summary: {
          count: 28,
          totalAmount: 1400,
          pending: { count: 28, amount: 1400 },
          approved: none,
          processing: none,
          completed: none,
          rejected: none,
          cancelled: none,
        },
      },
    },
    failures: [],
  }),
  defineExample(getAnyWithdrawalEndpoint, {
    params,
    data: { withdrawal: waitingWithdrawal },
    failures: ["withdrawal_not_found"],
  }),
  defineExample(approveWithdrawalEndpoint, {
    params,
    body: { adminNotes: "Conferido" },
    reply: {
      status: "success",
      message: "Saque aprovado com sucesso!",
      data: { withdrawal: { ...approved, adminNotes: "Conferido" } },
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
      "order_not_authentic",
    ],
  }),
  defineExample(rejectWithdrawalEndpoint, {
    params,
    body: { adminNotes: "Dados divergentes" },
    reply: {
      status: "success",
      message: "Saque rejeitado. O valor voltou ao saldo do vendedor.",
      data: {
        withdrawal: {
          ...decided,
          status: "rejected",
          adminNotes: "Dados divergentes",
          processedAt: "2026-11-21T12:00:00.000Z",
        },
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_not_pending", "own_withdrawal"],
  }),
  defineExample(completeWithdrawalEndpoint, {
    params,
    body: { adminNotes: "TED feita às 10h", bankId: "TED 0042" },
    reply: {
      status: "success",
      message: "Saque marcado como concluído.",
      data: {
        withdrawal: {
          ...byBankTransfer,
          status: "completed",
          approvals: 1,
          adminNotes: "TED feita às 10h",
          bankId: "TED 0042",
          processedAt: "2026-11-21T12:00:00.000Z",
        },
      },
    },
    failures: [
      "withdrawal_not_found",
      "withdrawal_not_completable",
      "own_withdrawal",
      "withdrawal_claimed",
      "bank_id_used",
      "order_not_authentic",
    ],
  }),
  defineExample(returnWithdrawalEndpoint, {
    params,
    body: { reason: "A conta informada não existe", checked: false, status: "approved" },
    reply: {
      status: "success",
      message: "Saque devolvido: o valor voltou ao saldo do vendedor.",
      data: {
        withdrawal: {
          ...byBankTransfer,
          status: "rejected",
          adminNotes: "A conta informada não existe",
          processedAt: "2026-11-21T13:00:00.000Z",
          returnedAt: "2026-11-21T13:00:00.000Z",
        },
      },
    },
    failures: [
      "withdrawal_claimed",
      "withdrawal_held",
      "withdrawal_not_found",
      "withdrawal_not_returnable",
      "own_withdrawal",
      "second_approver_needed",
      "order_not_authentic",
    ],
  }),
  defineExample(exportAllWithdrawalsEndpoint, {
    query: { status: "pending", search: "Ana", ...exampleMonth },
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
            withdrawal: { ...approved, adminNotes: "Conferidos" },
          },
        ],
        approved: { count: 1, amount: 50 },
      },
    },
    failures: ["validation_failed", "idempotency_key_reused"],
  }),
]
