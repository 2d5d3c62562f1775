import { queryOptions } from "@tanstack/react-query"
import type { listDestinationsEndpoint, removeDestinationEndpoint } from "@tilinta/contract/api/destinations-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listDestinations = leanEndpoint<typeof listDestinationsEndpoint>("GET", "/api/v1/users/me/destinations")
const remove = leanEndpoint<typeof removeDestinationEndpoint>("DELETE", "/api/v1/users/me/destinations/:id")

export const destinationsQuery = queryOptions({
  queryKey: ["seller", "withdrawals", "destinations"],
  queryFn: async ({ signal }) => (await call(listDestinations, { signal })).data,
})

export async function removeDestination(id: string): Promise<void> {
  await call(remove, { params: { id } })
}
