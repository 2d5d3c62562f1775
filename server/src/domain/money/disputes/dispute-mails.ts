import type { NewMail } from "#domain/platform/mails/enqueue-mails"
import type { Charge } from "#domain/selling/charges/charge"
import { type Dispute, isOpen } from "./dispute.ts"

/** Mails to the seller when it opens and when the bank has decided. An uncredited payment has no seller to notify. */
export function disputeMails(dispute: Dispute, charge: Charge | null): NewMail[] {
  const { id, state, amountCents } = dispute
  if (charge === null) return []
  const about = { chargeId: charge.id, pageTitle: charge.pageTitle }
  const content = isOpen(dispute)
    ? ({
        kind: "dispute_opened",
        ...about,
        amountCents,
        blockedCents: dispute.blockedCents,
        reason: dispute.reason,
        respondUntil: dispute.respondUntil?.toISOString() ?? null,
      } as const)
    : ({ kind: "dispute_closed", ...about, amountCents, isDebited: state === "accepted" } as const)
  return [{ userId: charge.sellerId, dedupeKey: `dispute:${id}:${isOpen(dispute) ? "opened" : state}`, content }]
}
