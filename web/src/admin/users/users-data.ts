import { queryOptions } from "@tanstack/react-query"
import type {
  endUserSessionsEndpoint,
  getUserEndpoint,
  inactivateUserEndpoint,
  listUsersEndpoint,
  unfreezeUserEndpoint,
  updateUserEndpoint,
} from "@tilinta/contract/api/admin-users-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { UserStatus } from "./users-search.ts"

export const listUsers = leanEndpoint<typeof listUsersEndpoint>("GET", "/api/v1/admin/users")
const getUser = leanEndpoint<typeof getUserEndpoint>("GET", "/api/v1/admin/users/:id")
export const updateUser = leanEndpoint<typeof updateUserEndpoint>("PATCH", "/api/v1/admin/users/:id")
export const inactivateUser = leanEndpoint<typeof inactivateUserEndpoint>("DELETE", "/api/v1/admin/users/:id")
export const unfreezeUser = leanEndpoint<typeof unfreezeUserEndpoint>("PATCH", "/api/v1/admin/users/:id/unfreeze")
export const endUserSessions = leanEndpoint<typeof endUserSessionsEndpoint>(
  "DELETE",
  "/api/v1/admin/users/:id/sessions",
)
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
    ask: (part, signal) => call(listUsers, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.users,
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: async ({ signal }) => (await call(getUser, { params: { id }, signal })).data,
  })
}
