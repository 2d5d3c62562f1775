import { isDeepStrictEqual } from "node:util"
import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { User } from "./user.ts"

type ChangeOfUser = "user.created" | "user.updated" | "user.inactivated" | "user.reactivated" | "user.profile_updated"
type ChangeOfPassword = "user.password_changed" | "user.password_reset"

const recordedFields = [
  "name",
  "email",
  "phone",
  "role",
  "active",
  "address",
  "bankAccount",
  "paymentMails",
  "anyName",
] as const

/** Only the differences; null without any, so that nothing is recorded. */
export function auditOfUser(
  action: ChangeOfUser,
  { before, after }: { before: User | null; after: User },
  actor: Actor,
  happenedAt: Date,
): AuditEntry | null {
  const changed = recordedFields.filter((name) => !isDeepStrictEqual(before?.[name], after[name]))
  if (changed.length === 0) return null
  const fieldsOf = (user: User) => Object.fromEntries(changed.map((name) => [name, user[name]]))
  return {
    actor,
    happenedAt,
    action,
    entity: "user",
    entityId: after.id,
    before: before === null ? null : fieldsOf(before),
    after: fieldsOf(after),
  }
}

/** Records only that it happened, not the password. */
export function auditOfPassword(action: ChangeOfPassword, actor: Actor, happenedAt: Date): AuditEntry {
  return { actor, happenedAt, action, entity: "user", entityId: actor.id, before: null, after: null }
}
