import { auditActions, auditSubjects } from "@tilinta/contract/vocabulary/audit"
import { wordOf } from "#ui/list-search.ts"
import type { AuditAddress, AuditSearch } from "./audit-search.ts"

/** Without the words that nobody can mean. */
export function knownSearch({ action, entity, entityId, ...rest }: AuditAddress): AuditSearch {
  const subject = wordOf(entity, auditSubjects)
  return {
    ...rest,
    action: wordOf(action, auditActions),
    entity: subject,
    // An id alone names nothing: the same might be one of another kind.
    entityId: subject === undefined ? undefined : entityId,
  }
}
