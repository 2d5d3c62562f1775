import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { getAccountStatementEndpoint, listAccountsEndpoint } from "@tilinta/contract/api/accounts-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const path = "/api/v1/admin/accounts"
const list = leanEndpoint<typeof listAccountsEndpoint>("GET", path)
const statement = leanEndpoint<typeof getAccountStatementEndpoint>("GET", `${path}/:id/statement`)

type Part = ReplyOf<typeof getAccountStatementEndpoint>["data"]

export function accountsQuery(asOf: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "accounts", asOf ?? null],
    queryFn: async ({ signal }) => (await call(list, { query: asOf === undefined ? {} : { asOf }, signal })).data,
  })
}

export function accountQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["admin", "accounts", "statement", id],
    queryFn: async ({ pageParam, signal }) =>
      (await call(statement, { params: { id }, query: pageParam === null ? {} : { after: pageParam }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}
