import type { Db } from "#db/transaction"
import { listApprovers } from "#domain/people/second-approvals/list-approvers"
import { type NameUsers, nameIn, type UserName } from "#domain/people/users/user-names"
import type { Clock } from "#kit/clock"
import { type HandSettlement, isEnough, type SettlementWaitsFor } from "./hand-settlement.ts"
import { findHandSettlements } from "./hand-settlements-repository.ts"

/** A word of people about a payout or refund, for admins. */
export interface DescribedSettlement extends Pick<HandSettlement, "outcome" | "endToEndId" | "reason" | "settledAt"> {
  saidBy: UserName
  saidAt: Date
  confirmedBy: UserName | null
  waitsFor: SettlementWaitsFor
}

interface Subject {
  id: string
  sellerId: string | null
  /** False once it has ended: a word that never took effect is then history, for the audit alone. */
  isUnderWay: boolean
}

export async function describeSettlements(
  { db, nameUsers, clock }: { db: Db; nameUsers: NameUsers; clock: Clock },
  subjects: readonly Subject[],
): Promise<Map<string, DescribedSettlement>> {
  const found = await findHandSettlements(
    db,
    subjects.map(({ id }) => id),
  )
  if (found.length === 0) return new Map()
  const bySubject = new Map(subjects.map((subject) => [subject.id, subject]))
  const said = found.filter(({ settledAt, subjectId }) => settledAt !== null || bySubject.get(subjectId)?.isUnderWay)
  const admins = await listApprovers(db, clock.now())
  const names = await nameUsers(said.flatMap(({ proposedBy, confirmedBy }) => [proposedBy, confirmedBy ?? proposedBy]))
  return new Map(
    said.map((each) => {
      const { subjectId, outcome, endToEndId, reason, settledAt, confirmedBy } = each
      const sellerId = bySubject.get(subjectId)?.sellerId ?? null
      const described: DescribedSettlement = {
        outcome,
        endToEndId,
        reason,
        settledAt,
        saidBy: nameIn(names, each.proposedBy),
        saidAt: each.proposedAt,
        confirmedBy: confirmedBy === null ? null : nameIn(names, confirmedBy),
        waitsFor: settledAt === null ? (isEnough(each, sellerId, admins) ? "sending" : "second_admin") : null,
      }
      return [subjectId, described]
    }),
  )
}
