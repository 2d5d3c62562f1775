import { createHash } from "node:crypto"
import type { AuditEntity } from "@tilinta/contract/vocabulary/audit"
import type { SecondApprovalAct, WantedChange } from "@tilinta/contract/vocabulary/people"
import type { Order } from "#platform/order-macs/macs"

/** A request of one administrator that a second one must make, too. */
export interface SecondApproval {
  id: string
  act: SecondApprovalAct
  subjectId: string
  /** As the second person knows it: a person's name, a setting's key. */
  subjectName: string
  changes: readonly WantedChange[]
  digest: Buffer
  askedBy: string
  askedAt: Date
  expiresAt: Date
  mac: string | null
}

export type Wanted = Pick<SecondApproval, "act" | "subjectId" | "subjectName" | "changes">

/** Two people want the same when their digests are equal: what was there before counts, too. */
export function digestOf({ act, subjectId, changes }: Wanted): Buffer {
  const fields = changes.map(({ field, before, after }) => [field, before, after])
  return createHash("sha256")
    .update(JSON.stringify([act, subjectId, fields]))
    .digest()
}

/** The first person's word, with what the second one is shown. */
export function approvalWord(approval: SecondApproval): Order {
  const { id, subjectName, digest, askedBy, askedAt, expiresAt } = approval
  const shown = digestOf(approval).toString("hex")
  const facts = [subjectName, shown, digest.toString("hex"), askedBy, askedAt, expiresAt]
  return { act: "second_approval.word", id, facts }
}

/** Approvals are found in the audit trail next to the other records of their thing. */
export const entityOf = {
  "withdrawal.approve": "withdrawal",
  "withdrawal.return": "withdrawal",
  "unmatched_payment.accept": "unmatched_payment",
  "unmatched_payment.return": "unmatched_payment",
  "refund.request": "refund",
  "dispute.close": "dispute",
  "user.create": "user",
  "user.change": "user",
  "user.unfreeze": "user",
  "destination.owner": "user",
  "automatic_pix.allow": "user",
  "setting.create": "setting",
  "setting.change": "setting",
} as const satisfies Record<SecondApprovalAct, AuditEntity>

/** The differing fields of a thing, in the order of its fields. */
export function changesBetween<Field extends string>(
  before: Partial<Record<Field, WantedChange["after"]>> | null,
  after: Record<Field, WantedChange["after"]>,
  fields: readonly Field[],
) {
  return fields.flatMap((field): WantedChange[] => {
    const was = before?.[field] ?? null
    return was === after[field] ? [] : [{ field, before: was, after: after[field] }]
  })
}
