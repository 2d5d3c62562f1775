import type {
  chargeEventTypes,
  pageEventTypes,
  paymentEventTypes,
  withdrawalEventTypes,
} from "@tilinta/contract/vocabulary/event-types"
import type { UncreditedPayment } from "#domain/money/unmatched-payments/unmatched-payment"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"
import type { OrderedCharge } from "#domain/selling/charges/charge"
import type { Withdrawal } from "#money/withdrawals/withdrawal"

interface Told {
  sellerId: string
  /** 1, 2, 3 … without holes for each seller. */
  sequence: number
  occurredAt: Date
}

/** A fact, with what it is about as the API showed it at that moment. */
export type SellerEvent = Told &
  (
    | { type: (typeof chargeEventTypes)[number]; charge: OrderedCharge }
    | { type: (typeof withdrawalEventTypes)[number]; withdrawal: Withdrawal }
    | { type: (typeof pageEventTypes)[number]; page: ChargePage }
    | { type: (typeof paymentEventTypes)[number]; payment: UncreditedPayment }
  )

/** The same for ever, on every node. */
export function eventIdOf({ sellerId, sequence }: Pick<SellerEvent, "sellerId" | "sequence">): string {
  return `evt_${sellerId.replaceAll("-", "")}_${sequence}`
}
