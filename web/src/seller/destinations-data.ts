import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export const destinationsQuery = queryOptions({
  queryKey: ["seller", "withdrawals", "destinations"],
  queryFn: async ({ signal }) => (await call(heads.listDestinations, { signal })).data,
})

export async function removeDestination(id: string): Promise<void> {
  await call(heads.removeDestination, { params: { id } })
}
