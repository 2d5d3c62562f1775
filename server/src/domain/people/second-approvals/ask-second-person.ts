import { SECOND_APPROVAL_HOURS } from "@tilinta/contract/vocabulary/second-approvals"
import type { Db, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwners } from "#domain/platform/mails/tell-owner"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { digestOf, entityOf, type SecondApproval, type Wanted } from "./second-approval.ts"
import {
  deleteApproval,
  findApproval,
  findApproverIds,
  findName,
  insertApproval,
  lockSubject,
} from "./second-approvals-repository.ts"

interface Wish extends Wanted {
  by: Actor
  protection: Protection
  /** Refuses a person who may agree to this but not begin it. */
  notFirst?: DomainError | undefined
}

/** The act goes ahead, or it waits for another administrator and the caller changes nothing. */
export type SecondWord =
  | { waits: SecondApproval; agreed: null }
  | {
      waits: null
      /** The approval that was agreed to; null where one person is enough. */
      agreed: SecondApproval | null
    }

const alone: SecondWord = { waits: null, agreed: null }

/**
 * Call it in the transaction of the act, after the rules and before the change. The same wish of a second administrator
 * within two days agrees; any other wish about the same subject replaces the first. One administrator is enough where
 * there is no other.
 */
export async function askSecondPerson(tx: Tx, wish: Wish, now: Date): Promise<SecondWord> {
  if (wish.protection === "relaxed") return alone
  const { by, act, subjectId } = wish
  const approvers = await findApproverIds(tx, now)
  if (!approvers.includes(by.id)) throw new DomainError("admin_rights_pending")
  await lockSubject(tx, act, subjectId)
  const frozen = await findFrozen(tx, approvers)
  if (frozen.has(by.id)) throw new DomainError("account_frozen")
  const earlier = await findApproval(tx, wish)
  const trusted = approvers.filter((id) => !frozen.has(id))
  const first = earlier !== null && counts(earlier, wish, { trusted, now }) ? earlier : null
  const others = approvers.filter((id) => id !== by.id && !isOwnFreeze(wish, id))
  if (first !== null && first.askedBy === by.id && others.length > 0) throw new DomainError("second_approver_needed")
  const isAgreed = first !== null && first.askedBy !== by.id
  if (!isAgreed && wish.notFirst !== undefined) throw wish.notFirst
  if (earlier !== null) await deleteApproval(tx, earlier.id)
  if (isAgreed) {
    await recordWord(tx, "approval.given", first, by, now)
    return { waits: null, agreed: first }
  }
  if (others.length === 0) return alone
  const waits = asked(wish, now)
  await insertApproval(tx, waits)
  await recordWord(tx, "approval.asked", waits, by, now)
  await tellOthers(tx, waits, others, now)
  return { waits, agreed: null }
}

/** Frozen administrators count as people to be waited for, or a freeze would leave one person alone; not about themselves. */
function isOwnFreeze({ act, subjectId }: Wish, adminId: string): boolean {
  return act === "user.unfreeze" && subjectId === adminId
}

/** The word of one who is no administrator any more, or frozen, doesn't count, nor one about something else. */
function counts(
  earlier: SecondApproval,
  wish: Wish,
  { trusted, now }: { trusted: readonly string[]; now: Date },
): boolean {
  return earlier.expiresAt > now && earlier.digest.equals(digestOf(wish)) && trusted.includes(earlier.askedBy)
}

function asked({ act, subjectId, subjectName, changes, by }: Wish, now: Date): SecondApproval {
  const wanted = { act, subjectId, subjectName, changes }
  const expiresAt = secondsAfter(now, SECOND_APPROVAL_HOURS * 3600)
  return { id: newId(), ...wanted, digest: digestOf(wanted), askedBy: by.id, askedAt: now, expiresAt }
}

/** Refuses whoever gave the first word about this. */
export async function refuseFirstPerson(
  db: Db,
  { act, subjectId, by }: Pick<Wish, "act" | "subjectId" | "by">,
  now: Date,
): Promise<void> {
  const first = await findApproval(db, { act, subjectId })
  if (first !== null && first.expiresAt > now && first.askedBy === by.id) {
    throw new DomainError("second_approver_needed")
  }
}

type Word = "approval.asked" | "approval.given" | "approval.refused" | "approval.withdrawn"

export async function recordWord(tx: Tx, action: Word, approval: SecondApproval, by: Actor, now: Date): Promise<void> {
  const { id, act, subjectId, changes, askedBy } = approval
  // A withdrawal's destination never changes and is stored with it.
  const recorded = changes.filter(({ field }) => field !== "destination")
  const before = Object.fromEntries(recorded.map((change) => [change.field, change.before]))
  const after = Object.fromEntries(recorded.map((change) => [change.field, change.after]))
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action,
    entity: entityOf[act],
    // A user who isn't created yet has no id of their own: they get the approval's.
    entityId: act === "user.create" ? id : subjectId,
    before,
    after: { ...after, act, ...(askedBy !== by.id && { askedBy }) },
  })
}

/** Untold, a first approval would end unseen. */
async function tellOthers(tx: Tx, approval: SecondApproval, others: readonly string[], now: Date): Promise<void> {
  const { id, act, subjectName, askedBy: askerId, expiresAt } = approval
  const askedBy = await findName(tx, askerId)
  const moments = { askedAt: now.toISOString(), expiresAt: expiresAt.toISOString() }
  const notice = { kind: "approval_waits", act, subjectName, askedBy, ...moments } as const
  await tellOwners(
    tx,
    others.map((userId) => ({ userId, notice, dedupeKey: `approval:${id}:${userId}` })),
    now,
  )
}
