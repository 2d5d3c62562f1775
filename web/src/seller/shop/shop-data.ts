import { queryOptions, useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export const shopQuery = queryOptions({
  queryKey: ["seller", "shop"],
  queryFn: async ({ signal }) => (await call(heads.getShop, { signal })).data.shop,
})

/** The name that payers know the seller by; empty without a shop, and until it is known. */
export function useShopName(): string {
  return useQuery({ ...shopQuery, staleTime: 60_000 }).data?.name ?? ""
}
