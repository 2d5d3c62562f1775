import { addCents, type Cents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import { invariant } from "#kit/invariant"
import type { Charge } from "./charge.ts"
import { updateRefunded } from "./charges-repository.ts"

interface Refunded {
  amountCents: Cents
  feeCents: Cents
}

/**
 * Books money returned to the payer of a locked charge. Its status becomes refunded only when all of it was returned.
 */
export async function recordRefunded(tx: Tx, charge: Charge, refunded: Refunded, now: Date): Promise<Charge> {
  const refundedCents = addCents(charge.refundedCents, refunded.amountCents)
  invariant(refundedCents <= charge.amountCents, `charge ${charge.id} is refunded above its amount`)
  const changed: Charge = {
    ...charge,
    refundedCents,
    refundedFeeCents: addCents(charge.refundedFeeCents, refunded.feeCents),
    status: refundedCents === charge.amountCents ? "refunded" : charge.status,
    updatedAt: now,
  }
  await updateRefunded(tx, changed)
  await publishChargeEvents(tx, [{ chargeId: charge.id, sellerId: charge.sellerId }])
  return changed
}
