import { getAccountStatementEndpoint, listAccountsEndpoint } from "../api/accounts-endpoints.ts"
import { defineExample } from "./define-example.ts"

const fees = { id: "fee-revenue", kind: "fees", name: "Taxas", balance: 15 } as const

export const accountsExamples = [
  defineExample(listAccountsEndpoint, {
    query: { asOf: "2026-11-22" },
    reply: {
      status: "success",
      data: {
        asOf: "2026-11-22",
        accounts: [
          { id: "psp-clearing:simulator", kind: "bank", name: "Banco: Simulador (testes)", balance: -100 },
          { id: "seller-available", kind: "seller_available", name: "Vendedores: saldo disponível", balance: 85 },
          fees,
        ],
        equation: { bank: 100, sellers: 85, ours: 15, waiting: 0, difference: 0 },
        uncoveredDebts: 0,
      },
    },
    failures: [],
  }),
  defineExample(getAccountStatementEndpoint, {
    params: { id: fees.id },
    query: {},
    reply: {
      status: "success",
      data: {
        account: fees,
        rows: [{ day: "2026-11-22", credits: 15, debits: 0, balance: 15 }],
        postings: null,
        next: null,
      },
    },
    failures: ["not_found"],
  }),
]
