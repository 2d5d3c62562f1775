import type { NewMail } from "#domain/platform/mails/enqueue-mails"
import type { WithdrawalStep } from "#domain/platform/mails/mail-content"
import { lastOnes, maskedPixKey } from "#kit/masked-pix-key"
import type { Destination, Withdrawal } from "./withdrawal.ts"

/** One mail per step, however often the step is recorded. */
export function stepMail(withdrawal: Withdrawal, step: WithdrawalStep, now: Date): NewMail {
  return {
    userId: withdrawal.sellerId,
    dedupeKey: `withdrawal-step:${withdrawal.id}:${step}`,
    content: {
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

export function maskedDestination(destination: Destination): string {
  if (destination.method === "pix") return `Chave Pix ${maskedPixKey(destination.pixKey.key)}`
  return `${destination.bankData.bank}, conta ${lastOnes(destination.bankData.account, 3)}`
}
