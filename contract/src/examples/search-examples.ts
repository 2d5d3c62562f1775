import { searchAllEndpoint, searchOwnEndpoint } from "../api/search-endpoints.ts"
import { defineExample } from "./define-example.ts"

const _id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const page = { _id, title: "Mentoria de Vendas", amount: 100, status: "completed" } as const
const transaction = {
  _id,
  description: "Um encontro por semana",
  payerName: "",
  amount: 100,
  createdAt: "2026-11-21T12:00:00.000Z",
}
const sellerName = "Ana Souza"

export const searchExamples = [
  defineExample(searchOwnEndpoint, {
    query: { q: "mentoria" },
    reply: {
      status: "success",
      data: { checkoutPages: [page], transactions: [{ ...transaction, status: "pago" }] },
    },
    failures: [],
  }),
  defineExample(searchAllEndpoint, {
    query: { q: "ana" },
    reply: {
      status: "success",
      data: {
        users: [{ _id, name: sellerName, email: "ana@loja.example", active: true }],
        checkoutPages: [{ ...page, title: "Mentoria da Ana", sellerName }],
        transactions: [{ ...transaction, sellerName, status: "approved" }],
        withdrawals: [{ _id, amount: 50, status: "pending", createdAt: "2026-11-21T12:00:00.000Z", sellerName }],
      },
    },
    failures: [],
  }),
]
