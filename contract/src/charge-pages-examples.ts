import {
  type ChargePageView,
  cancelChargePageEndpoint,
  createChargePageEndpoint,
  deleteChargePageEndpoint,
  getChargePageEndpoint,
  getSlugEndpoint,
  listChargePagesEndpoint,
  updateChargePageEndpoint,
} from "./charge-pages.ts"
import { defineExample } from "./define-endpoint.ts"
import { noPayerFlags } from "./vocabulary/payer-data.ts"

export const examplePage: ChargePageView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  title: "Mentoria de Vendas",
  description: "Um encontro por semana",
  slug: "mentoria-de-vendas-14",
  uniqueLink: "BFwORhkwyw9Njpar",
  amount: 100,
  minAmount: null,
  maxAmount: null,
  suggestions: [],
  shortCode: "7KQ-M2X",
  status: "active",
  requireCustomerData: false,
  customerInfo: noPayerFlags,
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
}

/** The fields of a page that requires the payer's name and e-mail. */
const askingForData = {
  amount: 150.5,
  requireCustomerData: true,
  customerInfo: { ...noPayerFlags, requireName: true, requireEmail: true },
  pixConfig: { allowAnonymous: false, expiresInHours: 48 },
}

const pageWithData: ChargePageView = {
  ...examplePage,
  ...askingForData,
  slug: "mentoria-de-vendas-11",
  uniqueLink: "RRPTSYG1wEUQowsK",
  expiresAt: "2026-11-23T12:00:00.000Z",
}

const params = { id: examplePage._id }

export const chargePagesExamples = [
  defineExample(createChargePageEndpoint, {
    body: {
      title: examplePage.title,
      slug: "mentoria-de-vendas",
      amount: askingForData.amount,
      description: examplePage.description,
      requireCustomerData: true,
      customerInfo: askingForData.customerInfo,
      pixConfig: askingForData.pixConfig,
      maxPayments: 1,
      externalReference: examplePage.externalReference,
      metadata: examplePage.metadata,
    },
    data: { checkoutPage: pageWithData },
    failures: ["external_reference_taken", "idempotency_key_reused"],
  }),
  defineExample(listChargePagesEndpoint, {
    query: { page: "1", limit: "10", status: "active", search: "Mentoria" },
    reply: {
      status: "success",
      results: 1,
      data: { checkoutPages: [{ ...pageWithData, metadata: {} }], summary: { count: 1, activeCount: 1 } },
    },
    failures: [],
  }),
  defineExample(getChargePageEndpoint, {
    params,
    data: { checkoutPage: examplePage },
    failures: ["unauthenticated", "charge_page_forbidden", "charge_page_not_found", "public_charge_page_not_found"],
  }),
  defineExample(updateChargePageEndpoint, {
    params,
    body: { title: examplePage.title, amount: 175, pixConfig: { expiresInHours: 72 } },
    data: {
      checkoutPage: {
        ...examplePage,
        slug: "mentoria-de-vendas-16",
        uniqueLink: "wYpcbniEaD6tRhy6",
        amount: 175,
        pixConfig: { allowAnonymous: true, expiresInHours: 72 },
        expiresAt: "2026-11-24T12:00:00.000Z",
      },
    },
    failures: [
      "charge_page_forbidden",
      "charge_page_not_found",
      "charge_page_not_editable",
      "external_reference_taken",
    ],
  }),
  defineExample(cancelChargePageEndpoint, {
    params,
    data: {
      checkoutPage: {
        ...examplePage,
        slug: "mentoria-de-vendas-18",
        uniqueLink: "FNKpfEUFeEfEREw3",
        status: "cancelled",
      },
    },
    failures: ["charge_page_forbidden", "charge_page_not_found", "charge_page_not_active"],
  }),
  defineExample(deleteChargePageEndpoint, { params, failures: ["charge_page_forbidden", "charge_page_not_found"] }),
  defineExample(getSlugEndpoint, {
    params: { slug: "mentoria-de-vendas" },
    data: { available: false, suggestion: "mentoria-de-vendas-22" },
    failures: [],
  }),
]
