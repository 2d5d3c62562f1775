import { queryOptions } from "@tanstack/react-query"
import type { listUsersEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listUsers = leanEndpoint<typeof listUsersEndpoint>("GET", "/api/v1/admin/users")

/** The first few users whom the words find. */
export function foundSellersQuery(search: string) {
  return queryOptions({
    queryKey: ["admin", "users", "found", search],
    queryFn: async ({ signal }) => (await call(listUsers, { query: { search, limit: "8" }, signal })).data.users,
    enabled: search !== "",
  })
}
