import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { requestRefund } from "#domain/money/refunds/request-refund"
import { settleRefunds } from "#domain/money/refunds/settle-refunds"
import type { OpenCharge } from "#domain/selling/charges/charge"
import { secondsAfter } from "#kit/clock"
import { inOfficeHours, minutesAfter, type Story, unlessRefused } from "./story.ts"

const reasons = ["Cliente desistiu da compra.", "Produto esgotado.", "Horário cancelado.", "Pagamento em duplicidade."]

/** A few payers ask for a refund some days later, in full or in part. */
export function considerRefund(story: Story, charge: OpenCharge): void {
  const { luck, agenda } = story
  if (!luck.isTrue(0.035)) return
  const part = luck.isTrue(0.4) ? charge.feeCents : noMoney
  agenda.plan(inOfficeHours(minutesAfter(agenda.clock.now(), luck.between(300, 5000))), () =>
    refund(story, charge, part),
  )
}

/** `part`: zero refunds all that is left. */
export async function refund(story: Story, charge: OpenCharge, part: Cents): Promise<void> {
  const { deps, agenda, luck } = story
  const requested = await unlessRefused(
    requestRefund(deps, {
      chargeId: charge.id,
      actor: { id: charge.sellerId, address: null },
      origin: "seller",
      amountCents: part === noMoney ? null : part,
      reason: luck.pick(reasons),
      idempotencyKey: null,
    }),
  )
  if (requested === null) return
  agenda.plan(secondsAfter(requested.createdAt, 1), () => settleRefunds(deps))
  agenda.plan(secondsAfter(requested.createdAt, 5), () => settleRefunds(deps))
}
