import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

/** The first few users whom the words find. */
export function foundSellersQuery(search: string) {
  return queryOptions({
    queryKey: ["admin", "users", "found", search],
    queryFn: async ({ signal }) => (await call(heads.listUsers, { query: { search, limit: "8" }, signal })).data.users,
    enabled: search !== "",
  })
}
