import { addCents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { sharedTargetOf } from "#domain/money/destinations/target"
import { findFrozenSince } from "#domain/people/freezes/find-frozen"
import { askSecondPerson, refuseFirstPerson, type SecondWord } from "#domain/people/second-approvals/ask-second-person"
import {
  countApprovers,
  findFirstApprovals,
  type ListedApproval,
} from "#domain/people/second-approvals/list-second-approvals"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { readSecondApprovalAboveCents } from "#domain/platform/settings/read-setting"
import { secondsAfter } from "#kit/clock"
import type { Protection } from "#kit/protection"
import type { Destination, Withdrawal } from "./withdrawal.ts"
import { lockApprovalSums, sumApprovedAlone } from "./withdrawals-repository.ts"

const act = "withdrawal.approve"
const alone: SecondWord = { waits: null, agreed: null }

interface Approver {
  admin: Actor
  sellerName: string
  protection: Protection
}

/** A large withdrawal needs two administrators. Call it under the withdrawal's lock, after its rules. */
export async function approveTogether(
  tx: Tx,
  withdrawal: Withdrawal,
  { admin, sellerName, protection }: Approver,
  now: Date,
): Promise<SecondWord> {
  const { id } = withdrawal
  if (protection === "relaxed") return alone
  await lockApprovalSums(tx, [withdrawal.sellerId, sharedTargetOf(withdrawal.destination)])
  if (!(await findGrave(tx, [withdrawal], now)).has(id)) return alone
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(withdrawal.amountCents) },
    { field: "destination", before: null, after: destinationText(withdrawal.destination) },
  ]
  const wish = { act, subjectId: id, subjectName: sellerName, changes, by: admin, protection } as const
  return askSecondPerson(tx, wish, now)
}

/** A freeze says that somebody was in the account who shouldn't: its next withdrawals are looked at twice. */
const AFTER_FREEZE_SECONDS = 7 * 86_400

/** Small ones are added up for so long: one person approves no more for a seller, nor to a destination, than the threshold. */
const SUM_SECONDS = 86_400

/** Ids of those that need two: large ones, also in many small parts, and any of an account that was frozen lately. */
async function findGrave(db: Db, withdrawals: readonly Withdrawal[], now: Date): Promise<Set<string>> {
  const sellers = withdrawals.map(({ sellerId }) => sellerId)
  const frozen = await findFrozenSince(db, sellers, secondsAfter(now, -AFTER_FREEZE_SECONDS))
  const aboveCents = await readSecondApprovalAboveCents(db)
  const ids = withdrawals.map(({ id }) => id)
  const sums = aboveCents === null ? null : await sumApprovedAlone(db, ids, secondsAfter(now, -SUM_SECONDS))
  const isLarge = ({ id, amountCents }: Withdrawal) =>
    aboveCents !== null && addCents(amountCents, sums?.get(id) ?? noMoney) > aboveCents
  return new Set(withdrawals.filter((each) => isLarge(each) || frozen.has(each.sellerId)).map(({ id }) => id))
}

function destinationText(destination: Destination): string {
  if (destination.method === "pix") return destination.pixKey.key
  const { bank, agency, account } = destination.bankData
  return [bank, agency, account].join(", ")
}

/** The first approver of a pending withdrawal can't end it in another way, either. */
export async function refuseFirstApprover(tx: Tx, { id, status }: Withdrawal, admin: Actor, now: Date): Promise<void> {
  if (status === "pending") await refuseFirstPerson(tx, { act, subjectId: id, by: admin }, now)
}

export async function isFirstApprover(db: Db, id: string, admin: Actor, now: Date): Promise<boolean> {
  return (await findFirstApprovals(db, act, [id], now)).get(id)?.askedBy === admin.id
}

/** How far the approval of a withdrawal is. */
export interface Approvals {
  given: number
  needed: number
  first: { by: { id: string; name: string }; at: Date; expiresAt: Date } | null
}

export const noApprovals: Approvals = { given: 0, needed: 1, first: null }

/** By the withdrawal's id. */
export async function describeApprovals(
  db: Db,
  withdrawals: readonly Withdrawal[],
  { protection, now }: { protection: Protection; now: Date },
): Promise<Map<string, Approvals>> {
  const pending = withdrawals.filter(({ status }) => status === "pending")
  const { grave, approvers, firsts } = await factsOf(db, protection === "strict" ? pending : [], now)
  return new Map(
    withdrawals.map((withdrawal) => {
      const first = firsts.get(withdrawal.id) ?? null
      if (withdrawal.status !== "pending") return [withdrawal.id, givenTo(withdrawal)]
      const needed = first !== null || (approvers > 1 && grave.has(withdrawal.id)) ? 2 : 1
      const word = first && {
        by: { id: first.askedBy, name: first.askedByName },
        at: first.askedAt,
        expiresAt: first.expiresAt,
      }
      return [withdrawal.id, { given: first === null ? 0 : 1, needed, first: word }]
    }),
  )
}

async function factsOf(db: Db, pending: readonly Withdrawal[], now: Date) {
  if (pending.length === 0) return { grave: new Set<string>(), approvers: 0, firsts: new Map<string, ListedApproval>() }
  const ids = pending.map(({ id }) => id)
  const [grave, approvers, firsts] = await Promise.all([
    findGrave(db, pending, now),
    countApprovers(db, now),
    findFirstApprovals(db, act, ids, now),
  ])
  return { grave, approvers, firsts }
}

function givenTo({ approvedAt, firstApprovedBy }: Withdrawal): Approvals {
  const needed = firstApprovedBy === null ? 1 : 2
  return { given: approvedAt === null ? 0 : needed, needed, first: null }
}
