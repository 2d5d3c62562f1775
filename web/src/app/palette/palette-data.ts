import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { searchAllEndpoint, searchOwnEndpoint } from "@tilinta/contract/api/search-endpoints"
import type { Role } from "@tilinta/contract/vocabulary/roles"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { groupsOfAll, groupsOfOwn } from "./palette-hits.ts"

const searchOwn = leanEndpoint<typeof searchOwnEndpoint>("GET", "/api/v1/search")
const searchAll = leanEndpoint<typeof searchAllEndpoint>("GET", "/api/v1/admin/search")

/** The server's search needs at least this many characters. */
const minLength = 3

/** Earlier hits stay while the next search is under way. */
export function hitsQuery(role: Role, words: string) {
  return queryOptions({
    queryKey: ["search", role, words],
    queryFn: async ({ signal }) => {
      const input = { query: { q: words }, signal }
      return role === "admin"
        ? groupsOfAll((await call(searchAll, input)).data)
        : groupsOfOwn((await call(searchOwn, input)).data)
    },
    enabled: isLongEnough(words),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

export function isLongEnough(words: string): boolean {
  return [...words].length >= minLength
}
