import { holdReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { WithdrawalStep } from "#domain/platform/mails/mail-content"
import type { OwnerNotice } from "#domain/platform/mails/tell-owner"
import { lastOnes, maskedPixKey } from "#kit/masked-pix-key"
import type { Destination, Withdrawal } from "./withdrawal.ts"

/** One notice and one mail per step, however often the step is recorded. */
export function stepNotice(withdrawal: Withdrawal, step: WithdrawalStep, now: Date): OwnerNotice {
  return {
    userId: withdrawal.sellerId,
    dedupeKey: `withdrawal-step:${withdrawal.id}:${step}`,
    notice: {
      kind: "withdrawal_step",
      step,
      amountCents: withdrawal.amountCents,
      destination: maskedDestination(withdrawal.destination),
      endToEndId: withdrawal.endToEndId,
      note: withdrawal.failureReason ?? withdrawal.adminNotes,
      happenedAt: now.toISOString(),
    },
  }
}

/** Each later end of the hold is another notice. */
export function heldNotice({ id, sellerId, amountCents, destination, heldUntil, holdReasons }: Withdrawal): OwnerNotice {
  const until = heldUntil?.toISOString() ?? null
  const reasons = holdReasons.map((reason) => holdReasonLabels[reason])
  const facts = { amountCents, destination: maskedDestination(destination), heldUntil: until, reasons }
  return {
    userId: sellerId,
    dedupeKey: `withdrawal-held:${id}:${until}`,
    notice: { kind: "withdrawal_held", ...facts },
  }
}

export function maskedDestination(destination: Destination): string {
  if (destination.method === "pix") return `Chave Pix ${maskedPixKey(destination.pixKey.key)}`
  return `${destination.bankData.bank}, conta ${lastOnes(destination.bankData.account, 3)}`
}
