import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { chargePageStatuses } from "../vocabulary/charge-page-status.ts"
import { adminStatusOf, sellerStatusOf } from "../vocabulary/transaction-status.ts"
import { withdrawalStatuses } from "../vocabulary/withdrawal-status.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, success, text } from "./fields.ts"

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
const sellerName = { sellerName: z.string() }

export const ownHits = z.object({
  checkoutPages: z.array(z.object(chargePageFields)),
  transactions: z.array(z.object({ ...transactionFields, status: z.enum(sellerStatusOf) })),
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

export const searchOwnEndpoint = defineEndpoint(heads.searchOwn, {
  operationId: "searchOwn",
  audience: "seller",
  urgency: "last",
  tag: "Busca",
  summary: "Até cinco páginas e transações do vendedor que têm o texto, as mais novas primeiro",
  query,
  reply: { status: 200, schema: success(ownHits) },
})

export const searchAllEndpoint = defineEndpoint(heads.searchAll, {
  operationId: "searchAll",
  audience: "admin",
  urgency: "last",
  tag: "Administração: busca",
  summary: "Até cinco usuários, páginas, transações e saques que têm o texto, os mais novos primeiro",
  query,
  reply: { status: 200, schema: success(allHits) },
})
