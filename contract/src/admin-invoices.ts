import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { successWithResults, userReference } from "./fields.ts"
import * as heads from "./heads.ts"
import { dueInOrder, invoiceListQuery, invoiceView } from "./invoices.ts"
import { exampleInvoice } from "./invoices-examples.ts"

const adminInvoiceView = z.object({ ...invoiceView.shape, user: userReference })
export type AdminInvoiceView = z.infer<typeof adminInvoiceView>

export const listAllInvoicesEndpoint = defineEndpoint("listAllInvoices", heads.listAllInvoices, {
  audience: "admin",
  whileFrozen: true,
  tag: "Administração: cobranças com vencimento",
  summary: "As cobranças com vencimento de todos os vendedores, ou de um, pela data de vencimento",
  query: z.object({ ...invoiceListQuery, sellerId: z.optional(z.uuid("Vendedor desconhecido.")) }).check(dueInOrder),
  reply: { status: 200, schema: successWithResults({ invoices: z.array(adminInvoiceView) }) },
})

const user = { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" }

export const adminInvoicesExamples = [
  defineExample(listAllInvoicesEndpoint, {
    query: { limit: "50", dueFrom: "2030-12-10", dueTo: "2030-12-10", order: "oldest" },
    reply: { status: "success", results: 1, data: { invoices: [{ ...exampleInvoice, user }] } },
    failures: ["validation_failed"],
  }),
]
