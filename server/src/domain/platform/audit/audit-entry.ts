import type { AuditAction, AuditEntity } from "@tilinta/contract/vocabulary/audit"

/** The acting admin or seller, and the request by which they act. */
export interface Actor extends Whence {
  id: string
}

/** The origin of a request. Without device and id those of the current request count, which a batch has none of. */
interface Whence {
  address: string | null
  /** The API key with which a program acts for a seller. */
  apiKeyId?: string | null
  /** The user agent. */
  device?: string | null
  requestId?: string | null
}

export interface AuditEntry {
  actor: Actor | null
  /** For a request by which nobody is known to act, as a login that fails. */
  whence?: Whence
  happenedAt: Date
  action: AuditAction
  entity: AuditEntity
  entityId: string
  before: object | null
  after: object | null
}
