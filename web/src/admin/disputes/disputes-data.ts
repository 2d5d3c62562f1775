import { queryOptions } from "@tanstack/react-query"
import type {
  adminDefendDisputeEndpoint,
  debitDisputeEndpoint,
  getDisputeEndpoint,
  listAllDisputesEndpoint,
  listPaymentDisputesEndpoint,
  registerDisputeEndpoint,
  releaseDisputeEndpoint,
} from "@tilinta/contract/api/disputes-endpoints"
import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { DisputesSearch } from "./disputes-search.ts"

const path = "/api/v1/admin/disputes"
const list = leanEndpoint<typeof listAllDisputesEndpoint>("GET", path)
const getOne = leanEndpoint<typeof getDisputeEndpoint>("GET", `${path}/:id`)
const post = leanEndpoint<typeof registerDisputeEndpoint>("POST", path)
const release = leanEndpoint<typeof releaseDisputeEndpoint>("PATCH", `${path}/:id/release`)
const debit = leanEndpoint<typeof debitDisputeEndpoint>("PATCH", `${path}/:id/debit`)
const defence = leanEndpoint<typeof adminDefendDisputeEndpoint>("PATCH", `${path}/:id/defence`)
const listOfTransaction = leanEndpoint<typeof listPaymentDisputesEndpoint>(
  "GET",
  "/api/v1/admin/transactions/:id/payment-disputes",
)

export const disputesKey = ["admin", "disputes"] as const
export const pageSize = 100

type DisputesFilter = Pick<DisputesSearch, "status" | "reason" | "search">

export function disputesQuery(page: number, filter: DisputesFilter) {
  return queryOptions({
    queryKey: [...disputesKey, "list", page, filter],
    queryFn: ({ signal }) => call(list, { query: { page: String(page), limit: String(pageSize), ...filter }, signal }),
  })
}

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: [...disputesKey, "one", id],
    queryFn: async ({ signal }) => (await call(getOne, { params: { id }, signal })).data.dispute,
  })
}

export function transactionDisputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...disputesKey, "of transaction", transactionId],
    queryFn: async ({ signal }) =>
      (await call(listOfTransaction, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export type Ending = "release" | "debit"

export function closeDispute({ id, ending, adminNotes }: { id: string; ending: Ending; adminNotes: string }) {
  const order = { params: { id }, body: { adminNotes } }
  return ending === "release" ? call(release, order) : call(debit, order)
}

export function defendDispute(id: string, text: string) {
  return call(defence, { params: { id }, body: { text } })
}

interface Registration {
  endToEndId: string
  amount: number | null
  reason: DisputeReason
  respondUntil: string | null
  adminNotes: string
}

export function registerDispute(body: Registration, idempotencyKey: string) {
  return call(post, { body, headers: { "Idempotency-Key": idempotencyKey } })
}
