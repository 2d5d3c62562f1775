import type { Db, Tx } from "#db/transaction"
import { endFreeze } from "#domain/people/freezes/end-freeze"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { askSecondPerson } from "#domain/people/second-approvals/ask-second-person"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { lockAdminAnd } from "#domain/people/users/lock-admin"
import type { OnRecovery } from "#domain/people/users/recovery"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/protection"

interface Deps {
  db: Db
  clock: Clock
  onRecovery: OnRecovery
  protection: Protection
}

interface Unfreezing {
  id: string
  admin: Actor
}

/**
 * Cancelled withdrawals stay cancelled, and new ones wait as after any change by an administrator. The first approval, when
 * another administrator must agree; null once it is unfrozen.
 */
export async function unfreezeAccount(
  { db, clock, ...rules }: Deps,
  asked: Unfreezing,
): Promise<SecondApproval | null> {
  if (!isId(asked.id)) throw new DomainError("user_not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => unfreeze(tx, { ...asked, ...rules }, now))
}

async function unfreeze(
  tx: Tx,
  { id, admin, protection, onRecovery }: Unfreezing & Pick<Deps, "protection" | "onRecovery">,
  now: Date,
): Promise<SecondApproval | null> {
  const user = await lockAdminAnd(tx, admin.id, id)
  if (user === null) throw new DomainError("user_not_found")
  if (id === admin.id) throw new DomainError("own_account", { message: ownAccount })
  const frozenSince = (await findFrozen(tx, [id])).get(id)
  if (frozenSince === undefined) throw new DomainError("account_not_frozen")
  const changes = [{ field: "frozenSince", before: frozenSince.toISOString(), after: null }]
  const about = { act: "user.unfreeze", subjectId: id, subjectName: user.name, changes } as const
  const { waits } = await askSecondPerson(tx, { ...about, by: admin, protection }, now)
  if (waits !== null) return waits
  if (!(await endFreeze(tx, { userId: id, by: admin }, now))) throw new DomainError("account_not_frozen")
  await onRecovery(tx, id, now)
  return null
}

const ownAccount = "Você não pode liberar a sua própria conta. Peça a outro administrador."
