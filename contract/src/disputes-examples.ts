import { defineExample } from "./define-endpoint.ts"
import {
  type AdminDisputeDetails,
  type AdminDisputeView,
  adminDefendDisputeEndpoint,
  debitDisputeEndpoint,
  defendDisputeEndpoint,
  getDisputeEndpoint,
  listAllDisputesEndpoint,
  listDisputesEndpoint,
  listPaymentDisputesEndpoint,
  listTransactionDisputesEndpoint,
  registerDisputeEndpoint,
  releaseDisputeEndpoint,
} from "./disputes.ts"

const params = { id: "0193a4c8-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const ofTransaction = { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const none = { count: 0, amount: 0 }
const nothing = { sellerGets: 0, fee: 0, payerGets: 0 }
const text = "O curso foi acessado pelo comprador no mesmo dia, como mostra o registro de acesso."

const dispute = {
  _id: params.id,
  amount: 100,
  blocked: 85,
  debited: 0,
  status: "open",
  settled: false,
  reason: "fraud",
  details: "",
  analysis: "",
  openedAt: "2026-11-21T12:00:00.000Z",
  respondUntil: "2026-11-28T12:00:00.000Z",
  closedAt: null,
  defence: null,
  canDefend: true,
  transaction: { _id: ofTransaction.id, amount: 100 },
  checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
} as const

const listed: AdminDisputeView = {
  ...dispute,
  endToEndId: "E0000000020261121140000000000019",
  provider: "simulator",
  origin: "admin",
  user: { _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  payment: { amount: 100, paidAt: "2026-11-20T12:00:00.000Z" },
  actions: ["release", "debit"],
  adminNotes: "E-mail do banco, protocolo 1313",
}

const blocking = {
  at: "2026-11-21T12:00:00.000Z",
  debit: "Saldo disponível do vendedor",
  credit: "Saldo bloqueado do vendedor",
  amount: 85,
} as const

const opened: AdminDisputeDetails = {
  ...listed,
  effect: { release: { sellerGets: 85, fee: 0, payerGets: 0 }, debit: { sellerGets: -85, fee: -15, payerGets: 100 } },
  ledger: [blocking],
}

const ended: AdminDisputeDetails = {
  ...opened,
  blocked: 0,
  settled: true,
  canDefend: false,
  closedAt: "2026-11-24T12:00:00.000Z",
  actions: [],
  effect: { release: nothing, debit: nothing },
}

const body = { adminNotes: "Banco respondeu em 24/11" }
const written = { text, status: "kept", writtenAt: "2026-11-21T13:00:00.000Z" } as const
const failures = ["dispute_not_found", "dispute_closed"] as const

export const disputesExamples = [
  defineExample(listDisputesEndpoint, {
    data: { disputes: [dispute], summary: { count: 1, blocked: 85 } },
    failures: [],
  }),
  defineExample(listTransactionDisputesEndpoint, {
    params: ofTransaction,
    data: { disputes: [dispute] },
    failures: ["transaction_not_found", "transaction_forbidden"],
  }),
  defineExample(defendDisputeEndpoint, {
    params,
    body: { text },
    data: { dispute: { ...dispute, canDefend: false, defence: written } },
    failures: [...failures, "dispute_defended", "dispute_overdue"],
  }),
  defineExample(listAllDisputesEndpoint, {
    query: { page: "1", limit: "100", status: "live" },
    reply: {
      status: "success",
      results: 1,
      data: {
        disputes: [listed],
        summary: {
          count: 1,
          totalAmount: 100,
          totalBlocked: 85,
          open: { count: 1, amount: 100 },
          defended: none,
          accepted: none,
          rejected: none,
          cancelled: none,
        },
        toldByBank: false,
      },
    },
    failures: [],
  }),
  defineExample(getDisputeEndpoint, { params, data: { dispute: opened }, failures: ["dispute_not_found"] }),
  defineExample(listPaymentDisputesEndpoint, {
    params: ofTransaction,
    data: { disputes: [listed] },
    failures: ["transaction_not_found"],
  }),
  defineExample(registerDisputeEndpoint, {
    body: {
      endToEndId: listed.endToEndId,
      amount: 100,
      reason: "fraud",
      respondUntil: dispute.respondUntil,
      adminNotes: listed.adminNotes,
    },
    data: { dispute: opened },
    failures: ["transaction_not_found", "dispute_told_by_bank", "own_dispute", "idempotency_key_reused"],
  }),
  defineExample(releaseDisputeEndpoint, {
    params,
    body,
    reply: {
      status: "success",
      message: "Contestação encerrada. O valor voltou ao saldo do vendedor.",
      data: { dispute: { ...ended, status: "rejected", ...body } },
    },
    failures: [...failures, "dispute_told_by_bank", "own_dispute", "second_approver_needed"],
  }),
  defineExample(debitDisputeEndpoint, {
    params,
    body,
    reply: {
      status: "success",
      message: "Contestação encerrada. O débito do banco foi registrado.",
      data: { dispute: { ...ended, status: "accepted", debited: 100, ...body } },
    },
    failures: [...failures, "dispute_told_by_bank", "own_dispute", "second_approver_needed"],
  }),
  defineExample(adminDefendDisputeEndpoint, {
    params,
    body: { text },
    reply: {
      status: "success",
      message: "Defesa registrada.",
      data: { dispute: { ...opened, canDefend: false, defence: written } },
    },
    failures: [...failures, "dispute_defended", "dispute_overdue"],
  }),
]
