import type { Psp, PspWebhook } from "#psp/psp"

/** A provider and the bank behind it, as the list of what every provider does needs them. */
export interface TestBank {
  psp: Psp
  /** Somebody pays the charge. Answers the payment's endToEndId. */
  pay(txid: string, pixCode: string): Promise<string>
  /** The bank takes back part of a payment by itself. */
  takeBack(endToEndId: string, cents: number): Promise<void>
  /** What is asked from now on is done, and never answered. */
  loseAnswers(): Promise<void>
  /** What is asked from now on never arrives. */
  loseRequests(): Promise<void>
  /** No payout succeeds from now on. */
  refuseMoneyOut(): Promise<void>
  behaveWell(): Promise<void>
  /** How often money left under this id. */
  countPayouts(payoutId: string): Promise<number>
  /** What the bank would send when this payment arrived. */
  webhookOf(endToEndId: string): PspWebhook
  listWebhookUrls(): Promise<string[]>
  close(): Promise<void>
}
