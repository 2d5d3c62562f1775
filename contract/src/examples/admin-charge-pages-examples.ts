import { getAnyChargePageEndpoint, listAllChargePagesEndpoint } from "../api/admin-charge-pages-endpoints.ts"
import { defineExample } from "./define-example.ts"

const page = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  title: "Mentoria de Vendas",
  description: "Um encontro por semana",
  slug: "mentoria-de-vendas",
  uniqueLink: "8hT2kQ0vWm4ZpL1x",
  amount: 100,
  status: "active",
  requireCustomerData: false,
  customerInfo: { requireName: false, requireEmail: false, requirePhone: false, requireCpf: false },
  pixConfig: { allowAnonymous: true, expiresInHours: 24 },
  expiresAt: "2026-11-22T12:00:00.000Z",
  maxPayments: 1,
  kind: "page",
  externalReference: "pedido-1042",
  metadata: { loja: "Centro" },
  returnUrl: null,
  paymentsCount: 0,
  suspendedAt: null,
  suspendedFor: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
} as const

export const adminChargePagesExamples = [
  defineExample(listAllChargePagesEndpoint, {
    query: { page: "1", limit: "100", search: "Mentoria" },
    reply: {
      status: "success",
      results: 1,
      data: {
        checkouts: [{ ...page, metadata: {} }],
        summary: { count: 1, active: 1, completed: 0, expired: 0, cancelled: 0 },
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(getAnyChargePageEndpoint, {
    params: { id: page._id },
    reply: { status: "success", data: { checkoutPage: page } },
    failures: ["charge_page_not_found"],
  }),
]
