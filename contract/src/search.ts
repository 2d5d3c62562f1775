import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { day, id, isoDateTime, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { chargePageStatuses } from "./vocabulary/charge-pages.ts"
import { invoiceStates } from "./vocabulary/invoices.ts"
import { subscriptionStatuses } from "./vocabulary/subscriptions.ts"
import { managers } from "./vocabulary/team.ts"
import { adminStatusOf, sellerStatusOf } from "./vocabulary/transactions.ts"
import { withdrawalStatuses } from "./vocabulary/withdrawals.ts"

/** Shorter words find nothing, because the trigram index holds none. */
export const SEARCH_MIN_LENGTH = 3

const query = z.object({ q: z.prefault(text(200).check(z.trim()), "") })

const chargePageFields = { _id: id, title: z.string(), amount: z.number(), status: z.enum(chargePageStatuses) }
const transactionFields = {
  _id: id,
  description: z.string(),
  payerName: z.string(),
  amount: z.number(),
  createdAt: isoDateTime,
}
const invoiceFields = {
  _id: id,
  customerName: z.string(),
  description: z.string(),
  /** The original. */
  amount: z.number(),
  dueDate: day,
  state: z.enum(invoiceStates),
}

const subscriptionFields = {
  _id: id,
  customerName: z.string(),
  title: z.string(),
  amount: z.number(),
  status: z.enum(subscriptionStatuses),
}

const sellerName = { sellerName: z.string() }

export const ownHits = z.object({
  customers: z.array(z.object({ _id: id, name: z.string(), email: z.string(), phone: z.string() })),
  checkoutPages: z.array(z.object(chargePageFields)),
  transactions: z.array(z.object({ ...transactionFields, status: z.enum(sellerStatusOf) })),
  invoices: z.array(z.object(invoiceFields)),
  subscriptions: z.array(z.object(subscriptionFields)),
})
export type OwnHits = z.infer<typeof ownHits>

export const allHits = z.object({
  users: z.array(z.object({ _id: id, name: z.string(), email: z.string(), active: z.boolean() })),
  checkoutPages: z.array(z.object({ ...chargePageFields, ...sellerName })),
  transactions: z.array(z.object({ ...transactionFields, ...sellerName, status: z.enum(adminStatusOf) })),
  withdrawals: z.array(
    z.object({
      _id: id,
      amount: z.number(),
      status: z.enum(withdrawalStatuses),
      createdAt: isoDateTime,
      ...sellerName,
    }),
  ),
})
export type AllHits = z.infer<typeof allHits>

export const searchOwnEndpoint = defineEndpoint("searchOwn", heads.searchOwn, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  urgency: "last",
  tag: "Busca",
  summary:
    "Até cinco clientes, páginas, cobranças com vencimento, assinaturas e transações do vendedor que têm o texto",
  query,
  reply: { status: 200, schema: success(ownHits) },
})

export const searchAllEndpoint = defineEndpoint("searchAll", heads.searchAll, {
  audience: "admin",
  whileFrozen: true,
  urgency: "last",
  tag: "Administração: busca",
  summary: "Até cinco usuários, páginas, transações e saques que têm o texto, os mais novos primeiro",
  query,
  reply: { status: 200, schema: success(allHits) },
})

const _id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const page = { _id, title: "Mentoria de Vendas", amount: 100, status: "completed" } as const
const transaction = {
  _id,
  description: "Um encontro por semana",
  payerName: "",
  amount: 100,
  createdAt: "2026-11-21T12:00:00.000Z",
}
const exampleSellerName = "Ana Souza"

export const searchExamples = [
  defineExample(searchOwnEndpoint, {
    query: { q: "mentoria" },
    data: {
      customers: [],
      checkoutPages: [page],
      transactions: [{ ...transaction, status: "pago" }],
      invoices: [],
      subscriptions: [],
    },
    failures: [],
  }),
  defineExample(searchAllEndpoint, {
    query: { q: "ana" },
    data: {
      users: [{ _id, name: exampleSellerName, email: "ana@loja.example", active: true }],
      checkoutPages: [{ ...page, title: "Mentoria da Ana", sellerName: exampleSellerName }],
      transactions: [{ ...transaction, sellerName: exampleSellerName, status: "approved" }],
      withdrawals: [
        { _id, amount: 50, status: "pending", createdAt: "2026-11-21T12:00:00.000Z", sellerName: exampleSellerName },
      ],
    },
    failures: [],
  }),
]
