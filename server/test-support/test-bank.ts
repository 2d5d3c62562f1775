import type { Psp, PspWebhook } from "#psp/psp"

/** A provider and the bank behind it, for the tests that every provider must pass. */
export interface TestBank {
  psp: Psp
  /** Pays the charge. Returns the payment's endToEndId. */
  pay(txid: string, pixCode: string): Promise<string>
  /** The bank returns a part of a payment on its own. */
  takeBack(endToEndId: string, cents: number): Promise<void>
  /** From now on requests are carried out but never answered. */
  loseAnswers(): Promise<void>
  /** From now on requests never arrive. */
  loseRequests(): Promise<void>
  /** From now on every payout fails. */
  refuseMoneyOut(): Promise<void>
  behaveWell(): Promise<void>
  /** The number of payouts made under this id. */
  countPayouts(payoutId: string): Promise<number>
  /** The webhook that the bank would send for this payment. */
  webhookOf(endToEndId: string): PspWebhook
  listWebhookUrls(): Promise<string[]>
  close(): Promise<void>
}
