import { queryOptions } from "@tanstack/react-query"
import type { getPaymentProofEndpoint } from "@tilinta/contract/api/payments-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const getPaymentProof = leanEndpoint<typeof getPaymentProofEndpoint>(
  "GET",
  "/api/v1/checkout/payment-proofs/:transactionId",
)
const pollMs = 3000

/** Polls until the payment is final. */
export function proofQuery(transactionId: string, k: string | undefined) {
  return queryOptions({
    queryKey: ["public", "proof", transactionId, k],
    queryFn: async ({ signal }) =>
      (await call(getPaymentProof, { params: { transactionId }, query: { k }, signal })).data.proof,
    refetchInterval: ({ state }) => (state.data?.status === "pendente" ? pollMs : false),
  })
}
