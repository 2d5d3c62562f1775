import type { AutomaticBooks } from "./automatic-books.ts"
import type { Books } from "./books.ts"
import type { ChargeBook, PaymentBook } from "./charge-books.ts"
import type { DueChargeBook } from "./due-charge-books.ts"
import type { FaultRules, Faults } from "./faults.ts"
import type { PayoutBook, WebhookBook } from "./payout-books.ts"
import type { DisputeBook, RefundBook } from "./refund-books.ts"
import type { BankClock } from "./tokens.ts"
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
  dueCharges: DueChargeBook
  payments: PaymentBook
  payouts: PayoutBook
  refunds: RefundBook
  disputes: DisputeBook
  /** Recurrences that payers authorise once, and their debits. */
  automatic: AutomaticBooks
  webhooks: WebhookBook
  /** Fault switches that apply to everybody. */
  faults: Faults
  /** Faults limited to some calls. */
  faultRules: FaultRules
  delivery: WebhookDelivery
}
