import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { Role } from "@tilinta/contract/vocabulary/roles"
import { call } from "#api/client.ts"
import { groupsOfAll, groupsOfOwn } from "./palette-hits.ts"

/** The server's search needs at least this many characters. */
const minLength = 3

/** Earlier hits stay while the next search is under way. */
export function hitsQuery(role: Role, words: string) {
  return queryOptions({
    queryKey: ["search", role, words],
    queryFn: async ({ signal }) => {
      const input = { query: { q: words }, signal }
      return role === "admin"
        ? groupsOfAll((await call(heads.searchAll, input)).data)
        : groupsOfOwn((await call(heads.searchOwn, input)).data)
    },
    enabled: isLongEnough(words),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

export function isLongEnough(words: string): boolean {
  return [...words].length >= minLength
}
