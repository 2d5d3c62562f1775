import { queryOptions } from "@tanstack/react-query"
import type {
  defendDisputeEndpoint,
  listDisputesEndpoint,
  listTransactionDisputesEndpoint,
} from "@tilinta/contract/api/disputes-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { transactionsKey } from "../transactions/transactions-data.ts"

const path = "/api/v1/payments/disputes"
const list = leanEndpoint<typeof listDisputesEndpoint>("GET", path)
const listOfTransaction = leanEndpoint<typeof listTransactionDisputesEndpoint>(
  "GET",
  "/api/v1/payments/transactions/:id/payment-disputes",
)
const patchDefence = leanEndpoint<typeof defendDisputeEndpoint>("PATCH", `${path}/:id/defence`)

/** Under the transactions' key: whatever makes those stale may have changed blocked amounts too. */
export const openDisputesQuery = queryOptions({
  queryKey: [...transactionsKey, "open disputes"],
  queryFn: async ({ signal }) => (await call(list, { signal })).data,
})

export function disputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "disputes", transactionId],
    queryFn: async ({ signal }) =>
      (await call(listOfTransaction, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export function defend(id: string, text: string) {
  return call(patchDefence, { params: { id }, body: { text } })
}
