import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export function slugQuery(slug: string) {
  return queryOptions({
    queryKey: ["seller", "slugs", slug],
    queryFn: async ({ signal }) => (await call(heads.getSlug, { params: { slug }, signal })).data,
    enabled: slug !== "",
    staleTime: 10_000,
  })
}
