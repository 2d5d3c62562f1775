import { queryOptions } from "@tanstack/react-query"
import type { getReceiptEndpoint } from "@tilinta/contract/api/payments-endpoints"
import type { getPublicSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const getReceipt = leanEndpoint<typeof getReceiptEndpoint>("GET", "/api/v1/checkout/receipts/:transactionId")
const getPublicSetting = leanEndpoint<typeof getPublicSettingEndpoint>("GET", "/api/v1/public/settings/:key")
const pollMs = 3000

/** Asked again until the payment has an end. */
export function receiptQuery(transactionId: string) {
  return queryOptions({
    queryKey: ["public", "receipt", transactionId],
    queryFn: async ({ signal }) => (await call(getReceipt, { params: { transactionId }, signal })).data.receipt,
    refetchInterval: ({ state }) => (state.data?.status === "pendente" ? pollMs : false),
  })
}

export const supportEmailQuery = queryOptions({
  queryKey: ["public", "support-email"],
  queryFn: async ({ signal }) => {
    const { data } = await call(getPublicSetting, { params: { key: "SUPPORT_EMAIL" }, signal })
    return String(data.setting.value)
  },
  staleTime: 60_000,
})
