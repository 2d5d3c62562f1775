import type { SecondApprovalAct } from "@tilinta/contract/vocabulary/second-approvals"
import type { Db } from "#db/transaction"
import type { SecondApproval } from "./second-approval.ts"
import { findApproverIds, findLiveApprovals, listLiveApprovals } from "./second-approvals-repository.ts"

export interface ListedApproval extends SecondApproval {
  askedByName: string
}

/** Wishes that wait for a second administrator, oldest first. */
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
