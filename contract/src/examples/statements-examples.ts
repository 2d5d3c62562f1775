import {
  exportIncomeEndpoint,
  exportStatementEndpoint,
  getIncomeReportEndpoint,
  getStatementEndpoint,
  listWithdrawnSalesEndpoint,
} from "../api/statements-endpoints.ts"
import { defineExample } from "./define-example.ts"

const sale = {
  at: "2026-11-21T15:04:05.000Z",
  reference: "E0000000020261121150400000000001",
  transactionId: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e2f",
  pageTitle: "Mentoria de vendas",
} as const

export const statementsExamples = [
  defineExample(getStatementEndpoint, {
    query: { month: "2026-11" },
    reply: {
      status: "success",
      data: {
        month: "2026-11",
        opening: 120,
        toCome: 0,
        closing: 205,
        closed: false,
        rows: [
          { ...sale, kind: "sale", description: "Venda", amount: 100, balance: 220 },
          { ...sale, kind: "fee", description: "Taxa da venda", amount: -15, balance: 205 },
        ],
        next: null,
      },
    },
    failures: [],
  }),
  defineExample(listWithdrawnSalesEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    reply: {
      status: "success",
      data: {
        rows: [
          { ...sale, kind: "sale", description: "Venda", amount: 100, balance: 220 },
          { ...sale, kind: "fee", description: "Taxa da venda", amount: -15, balance: 205 },
        ],
        next: null,
      },
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden"],
  }),
  defineExample(exportStatementEndpoint, {
    query: { month: "2026-11", format: "csv" },
    failures: ["too_many_exports"],
  }),
  defineExample(exportIncomeEndpoint, {
    query: { year: "2026" },
    failures: ["too_many_exports"],
  }),
  defineExample(getIncomeReportEndpoint, {
    query: { year: "2026" },
    reply: {
      status: "success",
      data: {
        year: 2026,
        months: [{ month: "2026-11", count: 9, gross: 2171.3, fee: 325.7, net: 1845.6 }],
        total: { count: 9, gross: 2171.3, fee: 325.7, net: 1845.6 },
      },
    },
    failures: [],
  }),
]
