import type { AdminWithdrawalView, PayoutClaim } from "@tilinta/contract/admin-withdrawals"
import type { HandSettlementView } from "@tilinta/contract/fields"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { sellerWithdrawalStatusOf } from "@tilinta/contract/vocabulary/withdrawals"
import type { RequestWithdrawalBody, WithdrawalView } from "@tilinta/contract/withdrawals"
import { brokenRule } from "#kit/errors"
import type { Claim } from "#money/hand-payouts/rules"
import type { UserName } from "#people/users/reads"
import type { PspPayouts } from "#psp/psp"
import type { DescribedSettlement, ListedWithdrawal, WithdrawalFacts } from "./admin-reads.ts"
import { isReturnable, isSettleable } from "./rules.ts"
import type { Destination, Withdrawal } from "./withdrawal.ts"

export function toWithdrawalView(withdrawal: Withdrawal): WithdrawalView {
  return {
    ...sharedFields(withdrawal),
    status: sellerWithdrawalStatusOf[withdrawal.status],
    sentAt: withdrawal.sentAt?.toISOString() ?? null,
  }
}

interface ViewContext {
  payouts: PspPayouts | null
  now: Date
}

export function toAdminWithdrawalView(
  withdrawal: ListedWithdrawal,
  { payouts, now }: ViewContext,
): AdminWithdrawalView {
  const { seller, facts, handSettlement, waitsBecause, approvals, handPayout, owned, isNotOwn } = withdrawal
  const user = { _id: seller.id, name: seller.name, email: seller.email }
  const willBePaidByHand = withdrawal.status === "pending" && payouts === null
  const paidByHand = withdrawal.isPaidByHand || willBePaidByHand
  return {
    ...sharedFields(withdrawal),
    status: withdrawal.status,
    paidByHand,
    returnable: isReturnable(withdrawal, { payouts, isAuthentic: waitsBecause !== "not_authentic", isNotOwn }),
    settleable: isSettleable(withdrawal, now),
    handSettlement: handSettlement && toHandSettlementView(handSettlement),
    waitsBecause,
    ...toApprovalFields(approvals),
    user,
    claim: handPayout?.claim ? toClaimView(handPayout.claim) : null,
    remittance:
      withdrawal.status === "approved" && handPayout?.remittance ? toRemittanceView(handPayout.remittance) : null,
    bankId: handPayout?.bankId ?? null,
    destinationId: owned.destinationId,
    owner: owned.owner,
    facts: facts && toFactsView(facts),
  }
}

function toRemittanceView({ sequence, at }: { sequence: number; at: Date }): AdminWithdrawalView["remittance"] {
  return { sequence, at: at.toISOString() }
}

export function toClaimView({ by, at, expiresAt }: Claim): PayoutClaim {
  return { by: personOf(by), at: at.toISOString(), expiresAt: expiresAt.toISOString() }
}

function toApprovalFields({ given, needed, first }: ListedWithdrawal["approvals"]) {
  const firstApproval = first && {
    by: { _id: first.by.id, name: first.by.name },
    at: first.at.toISOString(),
    expiresAt: first.expiresAt.toISOString(),
  }
  return { approvals: given, approvalsNeeded: needed, firstApproval }
}

function toFactsView({ openRefunds, ...facts }: WithdrawalFacts): AdminWithdrawalView["facts"] {
  return {
    sellerSince: facts.sellerSince.toISOString(),
    paidCount: facts.paidCount,
    usualAmount: facts.usualCents === null ? null : reaisFromCents(facts.usualCents),
    destination: facts.destination,
    inProfile: facts.isInProfile,
    profileChangedAt: facts.profileChangedAt?.toISOString() ?? null,
    balanceAfter: reaisFromCents(facts.balanceAfterCents),
    openRefunds: { count: openRefunds.count, amount: reaisFromCents(openRefunds.amountCents) },
  }
}

function sharedFields(withdrawal: Withdrawal) {
  const { destination } = withdrawal
  const pixKey = destination.method === "pix" ? destination.pixKey : null
  const bankData = destination.method === "bank_transfer" ? destination.bankData : null
  return {
    _id: withdrawal.id,
    amount: reaisFromCents(withdrawal.amountCents),
    paymentMethod: destination.method,
    pixKey: pixKey?.key ?? null,
    pixKeyType: pixKey?.kind ?? null,
    bankData,
    bankAccount: { ...(bankData ?? noBankData), pixKey: pixKey?.key ?? "" },
    adminNotes: withdrawal.returnReason ?? withdrawal.failureReason ?? withdrawal.adminNotes,
    endToEndId: withdrawal.endToEndId,
    createdAt: withdrawal.createdAt.toISOString(),
    approvedAt: withdrawal.approvedAt?.toISOString() ?? null,
    processedAt: withdrawal.processedAt?.toISOString() ?? null,
    returnedAmount: reaisFromCents(withdrawal.returnedCents),
    returnedAt: withdrawal.returnedAt?.toISOString() ?? null,
    heldUntil: withdrawal.heldUntil?.toISOString() ?? null,
    holdReasons: withdrawal.holdReasons,
  }
}

const noBankData = { bank: "", agency: "", account: "", accountType: "" }

/** The body's schema guarantees the destination that its method needs. */
export function requestedDestinationOf(body: RequestWithdrawalBody): Destination {
  if (body.paymentMethod === "pix") {
    const pixKey = parsePixKey(body.pixKey ?? "")
    if (pixKey === null) throw brokenRule("pixKey", "Chave Pix inválida")
    return { method: "pix", pixKey }
  }
  if (!body.bankData) throw brokenRule("bankData", "Dados bancários são obrigatórios")
  return { method: "bank_transfer", bankData: body.bankData }
}

export function toHandSettlementView(settlement: DescribedSettlement): HandSettlementView {
  return {
    outcome: settlement.outcome,
    endToEndId: settlement.endToEndId,
    reason: settlement.reason,
    saidBy: personOf(settlement.saidBy),
    saidAt: settlement.saidAt.toISOString(),
    confirmedBy: settlement.confirmedBy && personOf(settlement.confirmedBy),
    settledAt: settlement.settledAt?.toISOString() ?? null,
    waitsFor: settlement.waitsFor,
  }
}

function personOf({ id, name }: Pick<UserName, "id" | "name">) {
  return { _id: id, name }
}
