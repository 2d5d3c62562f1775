import type { AdminDisputeDetails, AdminDisputeView, DisputeView } from "@tilinta/contract/disputes"
import { mayBeDefended } from "@tilinta/contract/vocabulary/dispute-status"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { DisputeDetails } from "./list.ts"
import type { ListedDispute } from "./list-reads.ts"
import { isOpen } from "./rules.ts"

export function toDisputeView(dispute: ListedDispute, now: Date): DisputeView {
  const { charge, defence, defenceState, defendedAt, respondUntil } = dispute
  const isInTime = respondUntil === null || respondUntil > now
  return {
    _id: dispute.id,
    amount: reaisFromCents(dispute.amountCents),
    blocked: reaisFromCents(dispute.blockedCents),
    debited: reaisFromCents(dispute.debitedCents),
    status: dispute.state,
    settled: dispute.settledAt !== null,
    reason: dispute.reason,
    details: dispute.details,
    analysis: dispute.analysis,
    openedAt: dispute.openedAt.toISOString(),
    respondUntil: respondUntil?.toISOString() ?? null,
    closedAt: dispute.closedAt?.toISOString() ?? null,
    defence:
      defence === null || defendedAt === null
        ? null
        : { text: defence, status: defenceState, writtenAt: defendedAt.toISOString() },
    canDefend: isOpen(dispute) && isInTime && mayBeDefended(defenceState),
    transaction: charge === null ? null : { _id: charge.id, amount: reaisFromCents(charge.amountCents) },
    checkoutPage: charge === null ? null : { _id: charge.pageId, title: charge.pageTitle },
  }
}

export function toAdminDisputeView(dispute: ListedDispute, now: Date): AdminDisputeView {
  const { seller, payment } = dispute
  return {
    ...toDisputeView(dispute, now),
    endToEndId: dispute.endToEndId,
    provider: dispute.provider,
    origin: dispute.registeredBy === null ? "bank" : "admin",
    user: seller === null ? null : { _id: seller.id, name: seller.name, email: seller.email },
    payment: { amount: reaisFromCents(payment.amountCents), paidAt: payment.paidAt.toISOString() },
    actions: actionsOf(dispute),
    adminNotes: dispute.adminNotes,
  }
}

/** A dispute that the bank reported is ended by the bank; if it accepted and took less, an admin releases the rest. */
function actionsOf({ settledAt, state, registeredBy }: ListedDispute): ("release" | "debit")[] {
  if (settledAt !== null) return []
  if (state === "accepted") return ["release"]
  return registeredBy === null ? [] : ["release", "debit"]
}

export function toDisputeDetails(dispute: DisputeDetails, now: Date): AdminDisputeDetails {
  const { release, debit } = dispute.effects
  return {
    ...toAdminDisputeView(dispute, now),
    effect: { release: toEndView(release), debit: toEndView(debit) },
    ledger: dispute.postings.map(({ bookedAt, amountCents, ...accounts }) => ({
      ...accounts,
      at: bookedAt.toISOString(),
      amount: reaisFromCents(amountCents),
    })),
  }
}

function toEndView({ sellerGetsCents, feeCents, payerGetsCents }: DisputeDetails["effects"]["release"]) {
  return {
    sellerGets: reaisFromCents(sellerGetsCents),
    fee: reaisFromCents(feeCents),
    payerGets: reaisFromCents(payerGetsCents),
  }
}
