import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { listMyNoticesEndpoint } from "@tilinta/contract/notices"
import { call, type ReplyOf } from "#api/client.ts"

type Part = ReplyOf<typeof listMyNoticesEndpoint>["data"]
export type Notice = Part["notices"][number]

const pageSize = "20"

export const noticesQuery = infiniteQueryOptions({
  queryKey: ["notices", "list"],
  queryFn: async ({ pageParam, signal }) =>
    (
      await call(heads.listMyNotices, {
        query: { limit: pageSize, ...(pageParam !== null && { after: pageParam }) },
        signal,
      })
    ).data,
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Part) => next,
})

/** The bell asks again when its tab is looked at, and every minute while it is. */
export const unreadQuery = queryOptions({
  queryKey: ["notices", "unread"],
  queryFn: async ({ signal }) => (await call(heads.listMyNotices, { query: { limit: "1" }, signal })).data.unread,
  refetchInterval: 60_000,
})

export function markNoticesRead(ids: readonly string[]) {
  return call(heads.markMyNoticesRead, { body: { ids: [...ids] } })
}
