import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { getAccountStatementEndpoint } from "@tilinta/contract/accounts"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

type Part = ReplyOf<typeof getAccountStatementEndpoint>["data"]

export function accountsQuery(asOf: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "accounts", asOf ?? null],
    queryFn: async ({ signal }) =>
      (await call(heads.listAccounts, { query: asOf === undefined ? {} : { asOf }, signal })).data,
  })
}

/** The postings of one day, in the order of booking. */
export function accountDayQuery(id: string, day: string) {
  return infiniteQueryOptions({
    queryKey: ["admin", "accounts", "statement", id, day],
    queryFn: async ({ pageParam, signal }) => {
      const query = { day, limit: "25", ...(pageParam !== null && { afterPosting: pageParam }) }
      return (await call(heads.getAccountStatement, { params: { id }, query, signal })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

export function accountQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["admin", "accounts", "statement", id],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(heads.getAccountStatement, {
          params: { id },
          query: pageParam === null ? {} : { after: pageParam },
          signal,
        })
      ).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}
