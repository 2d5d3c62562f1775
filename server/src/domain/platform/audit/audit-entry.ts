import type { AuditAction, AuditEntity } from "@tilinta/contract/vocabulary/audit"

/** The acting admin or seller, and the address that the request came from. */
export interface Actor {
  id: string
  address: string | null
}

export interface AuditEntry {
  actor: Actor | null
  happenedAt: Date
  action: AuditAction
  entity: AuditEntity
  entityId: string
  before: object | null
  after: object | null
}
