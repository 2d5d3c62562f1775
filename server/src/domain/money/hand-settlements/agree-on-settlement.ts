import type { HandSettlementSubject } from "@tilinta/contract/vocabulary/hand-settlement"
import type { Tx } from "#db/transaction"
import { listApprovers } from "#domain/people/second-approvals/list-approvers"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { DomainError } from "#kit/domain-error"
import { askOtherAdmins, type SettledMoney } from "./ask-other-admins.ts"
import {
  type HandSettlement,
  isEnough,
  mayBeSending,
  type SettleByHand,
  type SettlementWaitsFor,
} from "./hand-settlement.ts"
import { lockHandSettlement, saveHandSettlement } from "./hand-settlements-repository.ts"

interface Subject extends SettledMoney {
  subject: HandSettlementSubject
  sendingAt: Date | null
}

/**
 * Notes what an admin says, and tells whether it takes effect. From the first word on nothing is sent any more. Where
 * two admins may decide, two must say the same, and the others are asked by mail. The caller holds the subject's lock.
 */
export async function agreeOnSettlement(
  tx: Tx,
  { subject, sendingAt, ...money }: Subject,
  said: SettleByHand,
  now: Date,
): Promise<SettlementWaitsFor> {
  const { id, admin, outcome, endToEndId, reason } = said
  const admins = await listApprovers(tx, now)
  if (!admins.includes(admin.id)) throw new DomainError("admin_rights_pending")
  const before = await lockHandSettlement(tx, id)
  const isSame = before !== null && before.outcome === outcome && before.endToEndId === endToEndId
  const proposal = { outcome, endToEndId, reason, proposedBy: admin.id, proposedAt: now, confirmedBy: null }
  const first: HandSettlement = isSame ? before : { subjectId: id, subject, ...proposal, settledAt: null }
  const confirmedBy = first.proposedBy === admin.id ? first.confirmedBy : admin.id

  const isAgreed = isEnough({ confirmedBy }, money.sellerId, admins)
  const waitsFor = waitsForWhat({ isAgreed, sendingAt, now })
  await saveHandSettlement(tx, { ...first, confirmedBy, settledAt: waitsFor === null ? now : null })
  if (waitsFor === "second_admin") await askOtherAdmins(tx, first, money, { admins, now })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: `${subject}.settled_by_hand`,
    entity: subject,
    entityId: id,
    before: null,
    after: { outcome, endToEndId, reason, isSettled: waitsFor === null },
  })
  return waitsFor
}

function waitsForWhat(state: { isAgreed: boolean; sendingAt: Date | null; now: Date }): SettlementWaitsFor {
  if (!state.isAgreed) return "second_admin"
  return mayBeSending(state.sendingAt, state.now) ? "sending" : null
}
