import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { listMyNoticesEndpoint, markMyNoticesReadEndpoint } from "@tilinta/contract/api/notices-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const list = leanEndpoint<typeof listMyNoticesEndpoint>("GET", "/api/v1/users/me/notices")
const markRead = leanEndpoint<typeof markMyNoticesReadEndpoint>("PATCH", "/api/v1/users/me/notices/read")

type Part = ReplyOf<typeof listMyNoticesEndpoint>["data"]
export type Notice = Part["notices"][number]

const pageSize = "20"

export const noticesQuery = infiniteQueryOptions({
  queryKey: ["notices", "list"],
  queryFn: async ({ pageParam, signal }) =>
    (await call(list, { query: { limit: pageSize, ...(pageParam !== null && { after: pageParam }) }, signal })).data,
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Part) => next,
})

/** The bell asks again when its tab is looked at, and every minute while it is. */
export const unreadQuery = queryOptions({
  queryKey: ["notices", "unread"],
  queryFn: async ({ signal }) => (await call(list, { query: { limit: "1" }, signal })).data.unread,
  refetchInterval: 60_000,
})

export function markNoticesRead(ids: readonly string[]) {
  return call(markRead, { body: { ids: [...ids] } })
}
