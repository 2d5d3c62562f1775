import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { lockAdminAnd } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwner } from "#platform/mails/notify-owner"
import { isAutomaticSeller } from "./reads.ts"
import { deleteAutomaticSeller, saveAutomaticSeller } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

interface Allowing {
  id: string
  admin: Actor
  enabled: boolean
  reason: string
}

interface Allowed {
  enabled: boolean
  /** The first approval, when nothing has changed yet. */
  waits: SecondApproval | null
}

/**
 * Lets a seller ask customers for authorisations, or no more. Two people agree to the first: each customer's bank shows the
 * platform's name. @throws own_account, second_approver_needed, user_not_found
 */
export async function setAutomaticPix({ db, clock, protection }: Deps, input: Allowing): Promise<Allowed> {
  if (!isId(input.id)) throw new DomainError("user_not_found")
  return db.transaction().execute((tx) => allow(tx, input, protection, clock.now()))
}

async function allow(
  tx: Tx,
  { id, admin, enabled, reason }: Allowing,
  protection: Protection,
  now: Date,
): Promise<Allowed> {
  const user = await lockAdminAnd(tx, admin.id, id)
  if (user === null) throw new DomainError("user_not_found")
  const before = await isAutomaticSeller(tx, id)
  if (before === enabled) return { enabled, waits: null }
  if (enabled) {
    if (id === admin.id && protection === "strict") throw new DomainError("own_account")
    const changes = [
      { field: "enabled", before, after: enabled },
      { field: "reason", before: null, after: reason },
    ]
    const about = { act: "automatic_pix.allow", subjectId: id, subjectName: user.name, changes } as const
    const { waits } = await askSecondPerson(tx, { ...about, by: admin, protection }, now)
    if (waits !== null) return { enabled: before, waits }
    await saveAutomaticSeller(tx, { sellerId: id, reason, enabledBy: admin.id, now })
  } else await deleteAutomaticSeller(tx, id)
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: enabled ? "automatic_pix.allowed" : "automatic_pix.disallowed",
    entity: "user",
    entityId: id,
    before: { enabled: before },
    after: { enabled, reason },
  })
  const notice = { kind: "automatic_pix_allowed", enabled, reason } as const
  await notifyOwner(tx, { userId: id, notice }, now)
  return { enabled, waits: null }
}
