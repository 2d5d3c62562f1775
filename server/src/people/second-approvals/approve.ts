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
import type { SecretKeys } from "#kit/secrets"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwners } from "#platform/mails/notify-owner"
import { isAuthentic, renewMacs, reportForgedOrder } from "#platform/order-macs/macs"
import { approvalWord, digestOf, entityOf, type SecondApproval, type Wanted } from "./rules.ts"
import {
  deleteApproval,
  deleteApprovalsOf,
  findApproval,
  findApprovalById,
  findApprovers,
  findFirstAccountAt,
  findLiveApprovals,
  findName,
  insertApproval,
  listLiveApprovals,
  lockApprovalsOfFormerKey,
  lockSubject,
  saveApprovalMac,
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
  await lockSubject(tx, act, subjectId)
  const approvers = await trustedApprovers(tx, now)
  requireTrusted(approvers, by.id)
  const earlier = await findApproval(tx, input)
  const first = earlier !== null && (await counts(tx, earlier, input, { approvers, now })) ? earlier : null
  const others = approvers.all.filter((id) => id !== by.id && !isOwnFreeze(input, id))
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

/**
 * The word of one who is no administrator any more, or frozen, doesn't count, nor one about something else, nor one that
 * only the database tells of: whoever asks now is then the first.
 */
async function counts(
  tx: Tx,
  earlier: SecondApproval,
  input: ApprovalInput,
  { approvers, now }: { approvers: Approvers; now: Date },
): Promise<boolean> {
  const word = approvalWord(earlier)
  if (!isAuthentic(word, earlier.mac)) {
    await reportForgedOrder(tx, word, now)
    return false
  }
  const isSame = earlier.digest.equals(digestOf(input))
  return earlier.expiresAt > now && isSame && approvers.trusted.includes(earlier.askedBy)
}

function newApproval({ act, subjectId, subjectName, changes, by }: ApprovalInput, now: Date): SecondApproval {
  const wanted = { act, subjectId, subjectName, changes }
  const expiresAt = secondsAfter(now, SECOND_APPROVAL_HOURS * 3600)
  return { id: newId(), ...wanted, digest: digestOf(wanted), askedBy: by.id, askedAt: now, expiresAt, mac: null }
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

/** A null actor stands for the platform. */
async function recordWord(tx: Tx, action: Word, approval: SecondApproval, by: Actor | null, now: Date): Promise<void> {
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
    after: { ...after, act, ...(askedBy !== by?.id && { askedBy }) },
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

/** Drops the words of a person who is trusted no more, so that nobody agrees to them. */
export async function dropApprovalsOf(tx: Tx, askedBy: string, now: Date): Promise<void> {
  for (const approval of await deleteApprovalsOf(tx, askedBy))
    await recordWord(tx, "approval.withdrawn", approval, null, now)
}

/** For a rotation of SECRETS_KEY; how many words got another MAC. */
export async function renewApprovalMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const rows = await lockApprovalsOfFormerKey(tx, secretKeys)
  return renewMacs(secretKeys, { rows, orderOf: approvalWord, save: ({ id }, mac) => saveApprovalMac(tx, id, mac) })
}

export interface Approvers {
  /** Those whose word counts: active, with a password, with rights that have begun, and not frozen. */
  trusted: readonly string[]
  /** The frozen ones, too: they are waited for, or a freeze would leave one person alone. */
  all: readonly string[]
}

/** The people whose word counts, for all that needs two: approvals, journal entries, settlements by hand and withdrawals. */
export async function trustedApprovers(db: Db, now: Date): Promise<Approvers> {
  const approvers = await findApprovers(db, now)
  const trusted = approvers.filter(({ isFrozen }) => !isFrozen)
  return { trusted: trusted.map(({ id }) => id), all: approvers.map(({ id }) => id) }
}

/** @throws admin_rights_pending, account_frozen */
export function requireTrusted({ trusted, all }: Approvers, adminId: string): void {
  if (!all.includes(adminId)) throw new DomainError("admin_rights_pending")
  if (!trusted.includes(adminId)) throw new DomainError("account_frozen")
}

/**
 * The people who must agree to what one does with another's money; empty where there is no other administrator.
 * @throws no_third_administrator where the only other one is the person whose money it is
 */
export function othersWhoAgree({ all }: Approvers, adminId: string, ownerId: string | null): string[] {
  const others = all.filter((id) => id !== adminId)
  const neutral = others.filter((id) => id !== ownerId)
  if (others.length > 0 && neutral.length === 0) throw new DomainError("no_third_administrator")
  return neutral
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
  return (await findApprovers(db, now)).length
}
