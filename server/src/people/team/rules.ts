import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import type { Actor, AuditEntry } from "#platform/audit/rules"

/** A shop for which a person may act, and as what. */
export interface OwnShop {
  id: string
  name: string
  role: ShopRole
}

export interface ListedShop extends OwnShop {
  /** The shop's own; null where the platform's applies. */
  feePercentage: number | null
  /** Has a key or a site to return to: an order of another system means something to it. */
  isIntegrated: boolean
}

export interface Member {
  id: string
  name: string
  email: string
  role: ShopRole
  isFounder: boolean
  isActive: boolean
  since: Date
  lastSeenAt: Date | null
}

export interface TeamInvitation {
  id: string
  shopId: string
  email: string
  emailKey: string
  role: ShopRole
  createdAt: Date
  expiresAt: Date
}

type MemberAction = Extract<AuditEntry["action"], `member.${string}`>

/** The record is about the person; about the address where nobody has joined yet. */
export function auditOfMember(
  action: MemberAction,
  { shopId, email, before, after }: { shopId: string; email?: string; before: ShopRole | null; after: ShopRole | null },
  about: { id: string; by: Actor; now: Date },
): AuditEntry {
  const facts = (shopRole: ShopRole | null) =>
    shopRole === null ? null : { shopRole, ...(email && { email }), shopId }
  return {
    actor: about.by,
    happenedAt: about.now,
    action,
    entity: "user",
    entityId: about.id,
    before: facts(before),
    after: facts(after),
  }
}
