import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type {
  dismissPageReportEndpoint,
  liftSuspensionEndpoint,
  listPageReportsEndpoint,
  suspendReportedPageEndpoint,
} from "@tilinta/contract/api/page-reports-endpoints"
import type { PageReportReason } from "@tilinta/contract/vocabulary/page-reports"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { PageReportsSearch } from "./page-reports-search.ts"

const path = "/api/v1/admin/page-reports"
const list = leanEndpoint<typeof listPageReportsEndpoint>("GET", path)
const suspend = leanEndpoint<typeof suspendReportedPageEndpoint>("PATCH", `${path}/:id/suspend`)
const dismiss = leanEndpoint<typeof dismissPageReportEndpoint>("PATCH", `${path}/:id/dismiss`)
const lift = leanEndpoint<typeof liftSuspensionEndpoint>("PATCH", `${path}/:id/lift`)

type Part = ReplyOf<typeof listPageReportsEndpoint>["data"]

const pageSize = "20"

export function pageReportsQuery({ status = "open" }: { status?: PageReportsSearch["status"] | "open" }) {
  return infiniteQueryOptions({
    queryKey: ["admin", "page-reports", status],
    queryFn: async ({ pageParam, signal }) => {
      const query = { status, limit: pageSize, ...(pageParam !== null && { after: pageParam }) }
      return (await call(list, { query, signal })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

/** For the menu. */
export const openReportsQuery = queryOptions({
  queryKey: ["admin", "page-reports", "count"],
  queryFn: async ({ signal }) => (await call(list, { query: { limit: "1" }, signal })).data.summary.open,
  refetchInterval: 60_000,
})

export type Decision = { to: "dismiss" | "lift" } | { to: "suspend"; reason: PageReportReason }

export function decideReport(id: string, decision: Decision) {
  const params = { id }
  if (decision.to === "suspend") return call(suspend, { params, body: { reason: decision.reason } })
  return decision.to === "lift" ? call(lift, { params }) : call(dismiss, { params })
}
