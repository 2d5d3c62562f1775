import type { BankClock } from "./bank-clock.ts"
import type { Books } from "./books.ts"
import type { ChargeBook } from "./charge-book.ts"
import type { DisputeBook } from "./dispute-book.ts"
import type { FaultRules } from "./fault-rules.ts"
import type { Faults } from "./faults.ts"
import type { PaymentBook } from "./payment-book.ts"
import type { PayoutBook } from "./payout-book.ts"
import type { RefundBook } from "./refund-book.ts"
import type { WebhookBook } from "./webhook-book.ts"
import type { WebhookDelivery } from "./webhook-delivery.ts"

/** The receiving account: one client and one key, which the standard ties together. */
export type Account = {
  receiverKey: string
  merchantName: string
  merchantCity: string
  /** Host, and path if any, under which the Pix codes' locations stand; without a scheme. */
  locationBase: string
}

export type Bank = {
  account: Account
  books: Books
  clock: BankClock
  charges: ChargeBook
  payments: PaymentBook
  payouts: PayoutBook
  refunds: RefundBook
  disputes: DisputeBook
  webhooks: WebhookBook
  /** Fault switches that apply to everybody. */
  faults: Faults
  /** Faults limited to some calls. */
  faultRules: FaultRules
  delivery: WebhookDelivery
}
