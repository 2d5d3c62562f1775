import { infiniteQueryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { listPageReportsEndpoint } from "@tilinta/contract/page-reports"
import type { PageReportReason } from "@tilinta/contract/vocabulary/charge-pages"
import type { PageReportsSearch } from "#admin/search-params.ts"
import { call, type ReplyOf } from "#api/client.ts"

type Part = ReplyOf<typeof listPageReportsEndpoint>["data"]

const pageSize = "20"

export function pageReportsQuery({ status = "open" }: { status?: PageReportsSearch["status"] | "open" }) {
  return infiniteQueryOptions({
    queryKey: ["admin", "page-reports", status],
    queryFn: async ({ pageParam, signal }) => {
      const query = { status, limit: pageSize, ...(pageParam !== null && { after: pageParam }) }
      return (await call(heads.listPageReports, { query, signal })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

export type Decision = { to: "dismiss" | "lift" } | { to: "suspend"; reason: PageReportReason }

export function decideReport(id: string, decision: Decision) {
  const params = { id }
  if (decision.to === "suspend") return call(heads.suspendReportedPage, { params, body: { reason: decision.reason } })
  return decision.to === "lift" ? call(heads.liftSuspension, { params }) : call(heads.dismissPageReport, { params })
}
