import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { transactionsKey } from "../transactions/transactions-data.ts"

/** Under the transactions' key: whatever makes those stale may have changed blocked amounts too. */
export const openDisputesQuery = queryOptions({
  queryKey: [...transactionsKey, "open disputes"],
  queryFn: async ({ signal }) => (await call(heads.listDisputes, { signal })).data,
})

export function disputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "disputes", transactionId],
    queryFn: async ({ signal }) =>
      (await call(heads.listTransactionDisputes, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export function defend(id: string, text: string) {
  return call(heads.defendDispute, { params: { id }, body: { text } })
}
