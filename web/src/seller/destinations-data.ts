import { queryOptions } from "@tanstack/react-query"
import type { listDestinationsEndpoint } from "@tilinta/contract/api/destinations-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listDestinations = leanEndpoint<typeof listDestinationsEndpoint>("GET", "/api/v1/users/me/destinations")

export const destinationsQuery = queryOptions({
  queryKey: ["seller", "withdrawals", "destinations"],
  queryFn: async ({ signal }) => (await call(listDestinations, { signal })).data,
})
