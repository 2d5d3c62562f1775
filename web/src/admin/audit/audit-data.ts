import { queryOptions } from "@tanstack/react-query"
import type { listAuditRecordsEndpoint } from "@tilinta/contract/api/audit-records-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { DayRange } from "#format/period.ts"
import type { AuditSearch } from "./audit-search.ts"

export const listPath = "/api/v1/admin/audit-records"
const list = leanEndpoint<typeof listAuditRecordsEndpoint>("GET", listPath)

const pageSize = 50

type AuditFilter = Pick<AuditSearch, "action" | "search" | "entity" | "entityId"> & Partial<DayRange>

export function auditQuery(after: string | undefined, filter: AuditFilter) {
  return queryOptions({
    queryKey: ["admin", "audit", after, filter],
    queryFn: async ({ signal }) =>
      (await call(list, { query: { limit: String(pageSize), after, ...filter }, signal })).data,
  })
}
