import type { IncomingHttpHeaders } from "node:http"
import type { DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { Cents } from "#kit/money"

/** What we need of a payment service provider. Every call may be repeated: it is idempotent by our own ids. */
export interface Psp {
  /** Names the provider in accounts and rows; never changes for one that took money. */
  readonly name: string
  /** Creates the charge, or answers the one that exists already under this txid. */
  createCharge(request: PspChargeRequest): Promise<PspCharge>
  /** Makes the charge unpayable. 'paid' when the money was faster, 'absent' when the provider never had it. */
  removeCharge(txid: string): Promise<"removed" | "paid" | "absent">
  /** The receipts of one charge, oldest first; none when the charge is unknown. */
  findReceiptsOfCharge(txid: string): Promise<PaymentReceived[]>
  findReceipt(endToEndId: string): Promise<PaymentReceived | null>
  /** Everything received in the window, oldest first, page by page; at some providers also what went back in it. */
  listReceipts(window: PspWindow): AsyncIterable<PaymentReceived[]>
  /** What was received in the window and refunded since. Null where listReceipts shows each refund when it happens. */
  readonly listRefundedReceipts: ((window: PspWindow) => AsyncIterable<PaymentReceived[]>) | null
  /** Whether a webhook comes from the provider, beyond the secret in its address: by a signature or a certificate. */
  isGenuine(webhook: PspWebhook): boolean
  /** What a webhook's raw body tells of: hints to ask about, no proofs. Null when unreadable. */
  eventsToldBy(body: Buffer): ToldEvent[] | null
  registerWebhook(url: string): Promise<void>
  /** Null where the provider's API sends no money out: withdrawals are then paid by hand. */
  readonly payouts: PspPayouts | null
  /** Sends a payment back, whole or in part, or answers what became of the refund that exists under this id. */
  requestRefund(request: PspRefundRequest): Promise<PspRefund>
  /** Null when the provider has never taken it. */
  findRefund(name: RefundName): Promise<PspRefund | null>
  /** When the client certificate ends; null without one. */
  readonly certificateEndsAt: Date | null
  /** Null where the provider's API doesn't tell of disputes: an admin registers them by hand. */
  readonly disputes: PspDisputes | null
}

/** Payments that their payers contest at their bank (MED). */
export interface PspDisputes {
  /** Null when the provider doesn't know it. */
  find(disputeId: string): Promise<PspDispute | null>
  /** All that may have changed in the window, page by page. */
  list(window: PspWindow): AsyncIterable<PspDispute[]>
  /** Hands the seller's text to the bank; 'refused' is definite. Null where texts are handed over by other ways. */
  readonly defend: ((disputeId: string, text: string) => Promise<"taken" | "refused">) | null
}

export interface PspDispute {
  disputeId: string
  endToEndId: string
  /** Null where the provider doesn't tell beyond doubt: then it is about the whole payment. */
  amountCents: Cents | null
  reason: DisputeReason
  /** What the payer's bank wrote, for people. */
  details: string
  state: DisputeState
  respondUntil: Date | null
  openedAt: Date | null
  updatedAt: Date | null
  closedAt: Date | null
  /** What the provider's analyst wrote, for people. */
  analysis: string
}

export interface PspWindow {
  from: Date
  to: Date
  /** To the millisecond where the provider reads that, else to the seconds around it; otherwise seconds do. */
  isNarrow?: boolean
}

export interface PspPayouts {
  /** Sends money to a Pix key, or answers what became of the payout that exists already under this id. */
  send(request: PspPayoutRequest): Promise<PspPayout>
  /** Null when the provider has never taken it. */
  find(payoutId: string): Promise<PspPayout | null>
  /** All that was asked for in the window, by whomever and in whatever state, oldest first, page by page. */
  list(window: PspWindow): AsyncIterable<ListedPayout[]>
}

export interface PspWebhook {
  body: Buffer
  headers: IncomingHttpHeaders
  /** Whether the request came through a proxy that we trust: only then its headers prove anything. */
  viaTrustedProxy: boolean
}

export type ToldEvent =
  /**
   * With news of its refunds it is worth asking about also when the receipt itself is booked.
   * `toldAt`: when it is said to have been paid, which tells where in a list to look for it.
   */
  | { kind: "receipt"; endToEndId: string; tellsOfRefunds: boolean; toldAt: Date | null }
  /** Something was paid to this charge. */
  | { kind: "charge"; txid: string }
  | { kind: "payout"; payoutId: string }
  | { kind: "dispute"; disputeId: string }

export interface PspChargeRequest {
  txid: string
  amountCents: Cents
  expiresInSeconds: number
  /** Shown to the payer by the bank, at most 140 characters. */
  description: string
}

export interface PspCharge {
  pixCode: string
}

export interface PspPayoutRequest {
  /** Ours, 1 to 35 alphanumerics: the provider pays an id at most once. */
  payoutId: string
  pixKey: PixKey
  amountCents: Cents
  /** Shown to who is paid, at most 140 characters. */
  description: string
}

export interface PspPayout {
  /** 'refused' is definite: no money moved and none will under this id. */
  state: "under-way" | "completed" | "refused"
  /** Null where the provider doesn't tell. */
  amountCents: Cents | null
  endToEndId: string | null
  /** Why it was refused, for people. */
  reason: string | null
  /** Null until it is completed, and where the provider doesn't tell. */
  settledAt: Date | null
}

export interface ListedPayout extends PspPayout {
  /** Null for one that was sent by other means than this API: by hand, in the bank's own app. */
  payoutId: string | null
  requestedAt: Date | null
}

/** Refunds are named within their payment. */
export interface RefundName {
  endToEndId: string
  /** Ours, 32 alphanumerics: the provider refunds an id at most once. Where it began the refund, its own of at most 64 characters. */
  pspRefundId: string
}

export interface PspRefundRequest extends RefundName {
  amountCents: Cents
  /** Shown to the payer, at most 140 characters. */
  description: string
}

export interface PspRefund {
  pspRefundId: string
  /** 'refused' is definite: nothing went back and nothing will under this id. */
  state: "under-way" | "completed" | "refused"
  /** Null where the provider doesn't tell. */
  amountCents: Cents | null
  /** The return's own id in the Pix network. */
  returnId: string | null
  /** Why it was refused, for people. */
  reason: string | null
  settledAt: Date | null
  /** The bank took it because the payer contested the payment; left out where it doesn't tell. */
  isDispute?: boolean
}

/** Money that reached our account at the provider. */
export interface PaymentReceived {
  provider: string
  endToEndId: string
  txid: string | null
  amountCents: Cents
  paidAt: Date
  /** What the provider knows to have gone back, or to be on its way. */
  refunds: PspRefund[]
}

interface ContactFailure {
  at: Date
  /** The verb of ours that failed. */
  call: string
  message: string
}

/** What happened between us and the provider since it was last asked for. */
export interface ContactNews {
  lastContactAt: Date | null
  lastFailure: ContactFailure | null
  lastWebhookAt: Date | null
  webhookRegisteredAt: Date | null
}

/**
 * How a call failed: 'rejected' is the provider's definite no; after 'unknown' it may or may not have
 * done what was asked; 'unavailable' means that it can't have.
 */
export type PspFailure = "rejected" | "unknown" | "unavailable"

export class PspError extends Error {
  readonly failure: PspFailure

  constructor(failure: PspFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "PspError"
    this.failure = failure
  }
}
