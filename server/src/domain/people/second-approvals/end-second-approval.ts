import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { recordWord } from "./ask-second-person.ts"
import { deleteApproval, deleteExpiredApprovals, findApprovalById } from "./second-approvals-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Ending {
  id: string
  by: Actor
}

/** Another administrator says no, or the one who asked takes it back. */
export async function refuseSecondApproval({ db, clock }: Deps, ending: Ending): Promise<{ isOwn: boolean }> {
  const now = clock.now()
  return db.transaction().execute((tx) => refuse(tx, ending, now))
}

async function refuse(tx: Tx, { id, by }: Ending, now: Date): Promise<{ isOwn: boolean }> {
  const approval = isId(id) ? await findApprovalById(tx, id) : null
  const isOpen = approval !== null && approval.expiresAt > now
  if (!isOpen || !(await deleteApproval(tx, id))) throw new DomainError("approval_not_found")
  const isOwn = approval.askedBy === by.id
  await recordWord(tx, isOwn ? "approval.withdrawn" : "approval.refused", approval, by, now)
  return { isOwn }
}

export async function tidySecondApprovals({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => deleteExpiredApprovals(tx, now))
}
