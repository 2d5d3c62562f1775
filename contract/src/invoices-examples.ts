import { defineExample } from "./define-endpoint.ts"
import {
  cancelInvoiceEndpoint,
  createInstalmentsEndpoint,
  createInvoiceEndpoint,
  createInvoicesAtOnceEndpoint,
  exportInvoicesEndpoint,
  getInvoiceEndpoint,
  type InvoiceView,
  listInvoicesEndpoint,
  previewInvoiceEndpoint,
  settleInvoiceOutsideEndpoint,
  updateInvoiceEndpoint,
} from "./invoices.ts"

const terms = {
  amount: 100,
  dueDate: "2030-12-10",
  daysAfterDue: 30,
  fine: { type: "percent", value: 2 },
  interest: { type: "percentMonth", value: 1 },
  discounts: [{ type: "fixed", value: 5, until: "2030-12-05" }],
} as const

export const exampleInvoice: InvoiceView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  transactionId: null,
  subscriptionId: null,
  status: "open",
  state: "due",
  mode: "daily",
  ...terms,
  discounts: [...terms.discounts],
  description: "Mensalidade de dezembro",
  externalReference: "mensalidade-12",
  metadata: { turma: "Manhã" },
  returnUrl: null,
  link: "http://localhost:3000/checkout/BFwORhkwyw9Njpar",
  today: { day: "2026-11-21", amount: 95, discount: 5, fine: 0, interest: 0 },
  lastDay: "2031-01-09",
  customer: {
    _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
    name: "Bruno Lima",
    document: "52998224725",
    email: "bruno@exemplo.com.br",
    phone: "11987654321",
  },
  revision: 1,
  paidAt: null,
  paid: null,
  settledFor: null,
  openedAt: null,
  pixCode: null,
  warnings: [],
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
}

const found = { id: exampleInvoice._id }
const sent = { ...terms, discounts: [...terms.discounts] }

export const invoicesExamples = [
  defineExample(createInvoiceEndpoint, {
    body: {
      customer: { name: "Bruno Lima", document: "529.982.247-25", email: "bruno@exemplo.com.br" },
      ...sent,
      description: exampleInvoice.description,
      externalReference: exampleInvoice.externalReference,
      metadata: exampleInvoice.metadata,
    },
    data: { invoice: exampleInvoice },
    failures: [
      "customer_not_found",
      "due_charges_unsupported",
      "email_not_confirmed",
      "external_reference_taken",
      "idempotency_key_reused",
    ],
  }),
  defineExample(createInvoicesAtOnceEndpoint, {
    body: { customerIds: [exampleInvoice.customer._id], ...sent, description: exampleInvoice.description },
    data: { invoices: [{ ...exampleInvoice, externalReference: null, metadata: {} }] },
    failures: ["customer_not_found", "due_charges_unsupported", "email_not_confirmed", "idempotency_key_reused"],
  }),
  defineExample(createInstalmentsEndpoint, {
    body: {
      customerId: exampleInvoice.customer._id,
      amount: 100,
      dueDate: "2030-12-10",
      count: 3,
      description: "Curso",
    },
    data: {
      invoices: [33.33, 33.33, 33.34].map((amount, index) => ({
        ...exampleInvoice,
        ...{ amount, fine: null, interest: null, discounts: [], externalReference: null, metadata: {} },
        dueDate: ["2030-12-10", "2031-01-10", "2031-02-10"][index] ?? "",
        lastDay: ["2031-01-09", "2031-02-10", "2031-03-12"][index] ?? "",
        description: `Curso (${index + 1}/3)`,
        today: { day: "2026-11-21", amount, discount: 0, fine: 0, interest: 0 },
      })),
    },
    failures: [
      "customer_not_found",
      "due_charges_unsupported",
      "email_not_confirmed",
      "external_reference_taken",
      "idempotency_key_reused",
    ],
  }),
  defineExample(listInvoicesEndpoint, {
    query: { status: "open", dueFrom: "2030-12-01", dueTo: "2030-12-31", limit: "10" },
    reply: {
      status: "success",
      results: 1,
      data: {
        invoices: [exampleInvoice],
        modes: ["daily", "bank"],
        summary: { day: "2026-11-27", open: 95, overdue: 0, received: 0 },
      },
    },
    failures: [],
  }),
  defineExample(exportInvoicesEndpoint, {
    query: { status: "overdue", format: "xlsx" },
    failures: ["too_many_exports"],
  }),
  defineExample(getInvoiceEndpoint, {
    params: found,
    data: {
      invoice: exampleInvoice,
      revisions: [{ revision: 1, ...sent, madeAt: exampleInvoice.createdAt }],
    },
    failures: ["invoice_not_found"],
  }),
  defineExample(updateInvoiceEndpoint, {
    params: found,
    body: { dueDate: "2030-12-16" },
    data: { invoice: { ...exampleInvoice, dueDate: "2030-12-16", lastDay: "2031-01-15", revision: 2 } },
    failures: ["invoice_not_found", "invoice_not_open", "external_reference_taken", "charge_page_not_editable"],
  }),
  defineExample(cancelInvoiceEndpoint, {
    params: found,
    data: { invoice: { ...exampleInvoice, status: "cancelled", state: "cancelled" } },
    failures: ["invoice_not_found", "invoice_not_open"],
  }),
  defineExample(settleInvoiceOutsideEndpoint, {
    params: found,
    body: { reason: "Pagou em dinheiro" },
    data: {
      invoice: {
        ...exampleInvoice,
        status: "settled_outside",
        state: "settled_outside",
        settledFor: "Pagou em dinheiro",
      },
    },
    failures: ["invoice_not_found", "invoice_not_open"],
  }),
  defineExample(previewInvoiceEndpoint, {
    body: { ...sent, days: ["2030-12-10", "2030-12-11"] },
    data: {
      days: [
        { day: "2030-12-10", amount: 100, discount: 0, fine: 0, interest: 0, isBusinessDay: true },
        { day: "2030-12-11", amount: 102.03, discount: 0, fine: 2, interest: 0.03, isBusinessDay: true },
      ],
      lastDay: "2031-01-09",
      warnings: [],
    },
    failures: [],
  }),
]
