import { queryOptions } from "@tanstack/react-query"
import { getSlugEndpoint } from "@tilinta/contract/api/charge-pages-endpoints"
import { call } from "#api/client.ts"

export function slugQuery(slug: string) {
  return queryOptions({
    queryKey: ["seller", "slugs", slug],
    queryFn: async ({ signal }) => (await call(getSlugEndpoint, { params: { slug }, signal })).data,
    enabled: slug !== "",
    staleTime: 10_000,
  })
}
