import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { auditActions, auditSubjects } from "@tilinta/contract/vocabulary/audit"
import { call } from "#api/client.ts"
import type { DayRange } from "#format/dates.ts"
import { wordOf } from "#ui/list-search.ts"
import type { AuditAddress, AuditSearch } from "../search-params.ts"

const pageSize = 50

type AuditFilter = Pick<AuditSearch, "action" | "search" | "entity" | "entityId"> & Partial<DayRange>

export function auditQuery(after: string | undefined, filter: AuditFilter) {
  return queryOptions({
    queryKey: ["admin", "audit", after, filter],
    queryFn: async ({ signal }) =>
      (await call(heads.listAuditRecords, { query: { limit: String(pageSize), after, ...filter }, signal })).data,
  })
}

/** The address without words that name no action or subject. */
export function knownSearch({ action, entity, entityId, ...rest }: AuditAddress): AuditSearch {
  const subject = wordOf(entity, auditSubjects)
  return {
    ...rest,
    action: wordOf(action, auditActions),
    entity: subject,
    // An id without its kind is ambiguous.
    entityId: subject === undefined ? undefined : entityId,
  }
}
