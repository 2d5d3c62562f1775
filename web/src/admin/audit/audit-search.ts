import { type AuditAction, type AuditSubject, auditActions, auditSubjects } from "@tilinta/contract/vocabulary/audit"
import { idOf, type PeriodSearch, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export interface AuditSearch extends PeriodSearch {
  /** The record after which the shown part begins. */
  after?: string | undefined
  action?: AuditAction | undefined
  search?: string | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
  /** Which one stands open. */
  record?: string | undefined
}

export function auditSearch(raw: Record<string, unknown>): AuditSearch {
  const entity = wordOf(raw.entity, auditSubjects)
  return {
    after: idOf(raw.after),
    action: wordOf(raw.action, auditActions),
    search: textOf(raw.search),
    entity,
    // An id alone names nothing: the same might be one of another kind.
    entityId: entity === undefined ? undefined : textOf(raw.entityId),
    ...periodOf(raw),
    record: idOf(raw.record),
  }
}
