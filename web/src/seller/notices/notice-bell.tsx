import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { listMyNoticesEndpoint } from "@tilinta/contract/notices"
import type { NoticeTopic } from "@tilinta/contract/vocabulary/mails"
import { call, type ReplyOf } from "#api/client.ts"
import { iconButtonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"

type Part = ReplyOf<typeof listMyNoticesEndpoint>["data"]
export type Notice = Part["notices"][number]

const pageSize = "20"

export function noticesQuery(topic: NoticeTopic) {
  return infiniteQueryOptions({
    queryKey: ["notices", "list", topic],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(heads.listMyNotices, {
          query: { limit: pageSize, topic, ...(pageParam !== null && { after: pageParam }) },
          signal,
        })
      ).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

/** The bell asks again when its tab is looked at, and every minute while it is. */
export const unreadQuery = queryOptions({
  queryKey: ["notices", "unread"],
  queryFn: async ({ signal }) => (await call(heads.listMyNotices, { query: { limit: "1" }, signal })).data,
  refetchInterval: 60_000,
})

export function markNoticesRead(ids: readonly string[]) {
  return call(heads.markMyNoticesRead, { body: { ids: [...ids] } })
}

/** The server counts to a hundred a topic. */
const MOST = 99

export function NoticeBell() {
  const unread = useQuery(unreadQuery).data?.unread ?? 0
  const shown = unread > MOST ? `${MOST}+` : String(unread)
  const label = unread === 0 ? "Avisos" : `Avisos: ${shown} ${unread === 1 ? "novo" : "novos"}`
  return (
    <Link to="/notices" aria-label={label} title={label} className={`relative ${iconButtonClass}`}>
      <Icon name="bell" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1 right-0.5 min-w-[18px] rounded-full bg-coral px-1 text-center text-[11px] leading-[18px] font-bold text-bg tabular-nums"
        >
          {shown}
        </span>
      )}
    </Link>
  )
}
