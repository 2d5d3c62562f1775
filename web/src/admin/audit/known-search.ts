import { auditActions, auditSubjects } from "@tilinta/contract/vocabulary/audit"
import { wordOf } from "#ui/list-search.ts"
import type { AuditAddress, AuditSearch } from "../search-params.ts"

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
