import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { idOf, type PeriodSearch, periodOf, textOf } from "#ui/list-search.ts"

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

/** As it stands in the address. Every screen loads this, so the words are known only where they are shown. */
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
