import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import type { DayRange } from "#format/period.ts"
import type { AuditSearch } from "../search-params.ts"

export const listPath = "/api/v1/admin/audit-records"

const pageSize = 50

type AuditFilter = Pick<AuditSearch, "action" | "search" | "entity" | "entityId"> & Partial<DayRange>

export function auditQuery(after: string | undefined, filter: AuditFilter) {
  return queryOptions({
    queryKey: ["admin", "audit", after, filter],
    queryFn: async ({ signal }) =>
      (await call(heads.listAuditRecords, { query: { limit: String(pageSize), after, ...filter }, signal })).data,
  })
}
