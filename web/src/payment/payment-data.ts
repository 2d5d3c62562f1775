import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

const pollMs = 3000

/** Polls until the payment is final. */
export function proofQuery(transactionId: string, k: string | undefined) {
  return queryOptions({
    queryKey: ["public", "proof", transactionId, k],
    queryFn: async ({ signal }) =>
      (await call(heads.getPaymentProof, { params: { transactionId }, query: { k }, signal })).data.proof,
    refetchInterval: ({ state }) => (state.data?.status === "pendente" ? pollMs : false),
  })
}
