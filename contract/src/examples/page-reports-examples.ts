import {
  dismissPageReportEndpoint,
  liftSuspensionEndpoint,
  listPageReportsEndpoint,
  type PageReportView,
  reportPageEndpoint,
  suspendReportedPageEndpoint,
} from "../api/page-reports-endpoints.ts"
import { defineExample } from "./define-example.ts"

const report: PageReportView = {
  _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "open",
  reasons: [{ reason: "scam", count: 2 }],
  reportsCount: 2,
  dismissedBefore: 0,
  createdAt: "2026-11-21T12:00:00.000Z",
  lastReportedAt: "2026-11-21T12:30:00.000Z",
  checkoutPage: {
    _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
    title: "Mentoria de Vendas",
    description: "Um encontro por semana",
    amount: 100,
    uniqueLink: "8hT2kQ0vWm4ZpL1x",
    status: "active",
    paymentsCount: 0,
    isDeleted: false,
  },
  user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  suspendedFor: null,
  decidedBy: null,
  decidedAt: null,
  liftedBy: null,
  liftedAt: null,
}

const decided = {
  decidedBy: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" },
  decidedAt: "2026-11-21T13:00:00.000Z",
}
const suspended: PageReportView = { ...report, status: "suspended", suspendedFor: "scam", ...decided }
const lifted: PageReportView = {
  ...suspended,
  status: "lifted",
  liftedBy: decided.decidedBy,
  liftedAt: "2026-11-22T09:00:00.000Z",
}
const params = { id: report._id }

export const pageReportsExamples = [
  defineExample(reportPageEndpoint, {
    params: { link: "8hT2kQ0vWm4ZpL1x" },
    body: { reason: "scam" },
    reply: { status: "success", message: "Recebemos a sua denúncia. Uma pessoa vai olhar esta página." },
    failures: ["public_charge_page_not_found", "charge_page_suspended", "too_many_requests"],
  }),
  defineExample(listPageReportsEndpoint, {
    query: { limit: "50", status: "open" },
    reply: { status: "success", data: { reports: [report], next: null, summary: { open: 1 } } },
    failures: [],
  }),
  defineExample(suspendReportedPageEndpoint, {
    params,
    body: { reason: "scam" },
    reply: { status: "success", message: "Página suspensa.", data: { report: suspended } },
    failures: ["step_up_required", "page_report_not_found", "page_report_decided", "own_charge_page"],
  }),
  defineExample(dismissPageReportEndpoint, {
    params,
    reply: {
      status: "success",
      message: "Denúncia descartada.",
      data: { report: { ...report, status: "dismissed", ...decided } },
    },
    failures: ["page_report_not_found", "page_report_decided", "own_charge_page"],
  }),
  defineExample(liftSuspensionEndpoint, {
    params,
    reply: { status: "success", message: "Suspensão retirada.", data: { report: lifted } },
    failures: ["step_up_required", "page_report_not_found", "page_not_suspended", "own_charge_page"],
  }),
]
