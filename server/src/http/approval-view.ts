import type { ApprovalView } from "@tilinta/contract/api/approvals-endpoints"
import type { ListedApproval } from "#domain/people/second-approvals/list-second-approvals"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { type NameUsers, nameIn } from "#domain/people/users/user-names"

export function toApprovalView(approval: ListedApproval): ApprovalView {
  const { id, act, subjectId, subjectName, changes, askedBy, askedByName, askedAt, expiresAt } = approval
  return {
    _id: id,
    act,
    subject: { _id: subjectId, name: subjectName },
    changes: [...changes],
    askedBy: { _id: askedBy, name: askedByName },
    askedAt: askedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/** Writes the caller's own first approval beside what is as it was. */
export function pendingWriter(nameUsers: NameUsers) {
  return async (waits: SecondApproval | null) => {
    if (waits === null) return {}
    const askedByName = nameIn(await nameUsers([waits.askedBy]), waits.askedBy).name
    return { pending: true, approval: toApprovalView({ ...waits, askedByName }) }
  }
}
