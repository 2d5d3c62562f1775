import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { listQuery } from "#api/list-query.ts"
import type { UserStatus } from "../search-params.ts"

export const usersKey = ["admin", "users"] as const
export const pageSize = 100

interface UsersFilter {
  status: UserStatus | undefined
  search: string | undefined
}

export function usersQuery(page: number, filter: UsersFilter) {
  return listQuery({
    key: usersKey,
    page,
    filter,
    ask: (part, signal) => call(heads.listUsers, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.users,
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getUser, { params: { id }, signal })).data,
  })
}
