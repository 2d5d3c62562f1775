import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { idOf, type PeriodSearch, periodOf, textOf } from "#ui/list-search.ts"

export interface AuditSearch extends PeriodSearch {
  /** Keyset cursor: the record after which the shown part begins. */
  after?: string | undefined
  action?: AuditAction | undefined
  search?: string | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
  /** The open record. */
  record?: string | undefined
}

/**
 * The search as it stands in the address. Every screen loads this file, so words are checked only where they are shown.
 */
export interface AuditAddress extends Omit<AuditSearch, "action" | "entity"> {
  action?: string | undefined
  entity?: string | undefined
}

export function auditSearch(raw: Record<string, unknown>): AuditAddress {
  return {
    after: idOf(raw.after),
    action: textOf(raw.action),
    search: textOf(raw.search),
    entity: textOf(raw.entity),
    entityId: textOf(raw.entityId),
    ...periodOf(raw),
    record: idOf(raw.record),
  }
}
