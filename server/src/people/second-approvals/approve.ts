import {
  FIRST_DAYS,
  NEW_ADMIN_HOURS,
  SECOND_APPROVAL_HOURS,
  type SecondApprovalAct,
} from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { findFrozen } from "#people/freezes/freeze"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwners } from "#platform/mails/notify-owner"
import { digestOf, entityOf, type SecondApproval, type Wanted } from "./rules.ts"
import {
  deleteApproval,
  findApproval,
  findApprovalById,
  findApproverIds,
  findFirstAccountAt,
  findLiveApprovals,
  findName,
  insertApproval,
  listLiveApprovals,
  lockSubject,
} from "./table.ts"

interface ApprovalInput extends Wanted {
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
 * Call it in the transaction of the act, after the rules and before the change. The same request of a second administrator
 * within two days agrees; any other request about the same subject replaces the first. One administrator is enough where
 * there is no other.
 */
export async function askSecondPerson(tx: Tx, input: ApprovalInput, now: Date): Promise<SecondWord> {
  if (input.protection === "relaxed") return alone
  const { by, act, subjectId } = input
  const approvers = await findApproverIds(tx, now)
  if (!approvers.includes(by.id)) throw new DomainError("admin_rights_pending")
  await lockSubject(tx, act, subjectId)
  const frozen = await findFrozen(tx, approvers)
  if (frozen.has(by.id)) throw new DomainError("account_frozen")
  const earlier = await findApproval(tx, input)
  const trusted = approvers.filter((id) => !frozen.has(id))
  const first = earlier !== null && counts(earlier, input, { trusted, now }) ? earlier : null
  const others = approvers.filter((id) => id !== by.id && !isOwnFreeze(input, id))
  if (first !== null && first.askedBy === by.id && others.length > 0) throw new DomainError("second_approver_needed")
  const isAgreed = first !== null && first.askedBy !== by.id
  if (!isAgreed && input.notFirst !== undefined) throw input.notFirst
  if (earlier !== null) await deleteApproval(tx, earlier.id)
  if (isAgreed) {
    await recordWord(tx, "approval.given", first, by, now)
    return { waits: null, agreed: first }
  }
  if (others.length === 0) return alone
  const waits = newApproval(input, now)
  await insertApproval(tx, waits)
  await recordWord(tx, "approval.asked", waits, by, now)
  await notifyOthers(tx, waits, others, now)
  return { waits, agreed: null }
}

/** Frozen administrators count as people to be waited for, or a freeze would leave one person alone; not about themselves. */
function isOwnFreeze({ act, subjectId }: ApprovalInput, adminId: string): boolean {
  return act === "user.unfreeze" && subjectId === adminId
}

/** The word of one who is no administrator any more, or frozen, doesn't count, nor one about something else. */
function counts(
  earlier: SecondApproval,
  input: ApprovalInput,
  { trusted, now }: { trusted: readonly string[]; now: Date },
): boolean {
  return earlier.expiresAt > now && earlier.digest.equals(digestOf(input)) && trusted.includes(earlier.askedBy)
}

function newApproval({ act, subjectId, subjectName, changes, by }: ApprovalInput, now: Date): SecondApproval {
  const wanted = { act, subjectId, subjectName, changes }
  const expiresAt = secondsAfter(now, SECOND_APPROVAL_HOURS * 3600)
  return { id: newId(), ...wanted, digest: digestOf(wanted), askedBy: by.id, askedAt: now, expiresAt }
}

/** Refuses whoever gave the first word about this. */
export async function refuseFirstPerson(
  db: Db,
  { act, subjectId, by }: Pick<ApprovalInput, "act" | "subjectId" | "by">,
  now: Date,
): Promise<void> {
  const first = await findApproval(db, { act, subjectId })
  if (first !== null && first.expiresAt > now && first.askedBy === by.id) {
    throw new DomainError("second_approver_needed")
  }
}

type Word = "approval.asked" | "approval.given" | "approval.refused" | "approval.withdrawn"

async function recordWord(tx: Tx, action: Word, approval: SecondApproval, by: Actor, now: Date): Promise<void> {
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

/** Notifies the others: otherwise a first approval would expire unseen. */
async function notifyOthers(tx: Tx, approval: SecondApproval, others: readonly string[], now: Date): Promise<void> {
  const { id, act, subjectName, askedBy, expiresAt } = approval
  const notice = {
    kind: "approval_waits",
    act,
    subjectName,
    askedBy: await findName(tx, askedBy),
    askedAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
  } as const
  await notifyOwners(
    tx,
    others.map((userId) => ({ userId, notice, dedupeKey: `approval:${id}:${userId}` })),
    now,
  )
}

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

/** Administrators whose word counts: active, with a password, and with rights that have begun. */
export async function listApprovers(db: Db, now: Date): Promise<string[]> {
  return findApproverIds(db, now)
}

/** When somebody who becomes an administrator now may do more than look; null at once. */
export async function newAdminRightsFrom(db: Db, protection: Protection, now: Date): Promise<Date | null> {
  if (protection === "relaxed") return null
  const firstAt = await findFirstAccountAt(db)
  if (firstAt === null || now < secondsAfter(firstAt, FIRST_DAYS * 86_400)) return null
  return secondsAfter(now, NEW_ADMIN_HOURS * 3600)
}

export interface ListedApproval extends SecondApproval {
  askedByName: string
}

/** Requests that wait for a second administrator, oldest first. */
export async function listSecondApprovals(db: Db, now: Date): Promise<ListedApproval[]> {
  return listLiveApprovals(db, now)
}

/** First approvals that still count, by subject. */
export async function findFirstApprovals(
  db: Db,
  act: SecondApprovalAct,
  subjectIds: readonly string[],
  now: Date,
): Promise<Map<string, ListedApproval>> {
  const found = await findLiveApprovals(db, { act, subjectIds, now })
  return new Map(found.map((approval) => [approval.subjectId, approval]))
}

/** How many administrators may approve today. */
export async function countApprovers(db: Db, now: Date): Promise<number> {
  return (await findApproverIds(db, now)).length
}
