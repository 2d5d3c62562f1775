import type { IncomingHttpHeaders } from "node:http"
import type { DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import { type Clock, type Times, timesOf } from "#kit/clock"

/** Our requirements of a payment service provider. Every call is idempotent by our own ids, so it may be retried. */
export interface Psp {
  /** Identifies the provider in accounts and rows; must never change once it has received money. */
  readonly name: string
  /** The provider's name on screens. */
  readonly label: string
  /** Creates the charge, or returns the existing one under this txid. */
  createCharge(request: PspChargeRequest): Promise<PspCharge>
  /** Charges whose amount the provider computes by the day. Null where its API has none, or they are switched off. */
  readonly dueCharges: PspDueCharges | null
  /** Recurrences that a payer authorises once (Pix Automático). Null where its API has none, or they are switched off. */
  readonly automatic: PspAutomatic | null
  /** Makes the charge, also one with a due day, unpayable. 'paid' when the money was faster, 'absent' when the provider never had it. */
  removeCharge(txid: string): Promise<"removed" | "paid" | "absent">
  /** The receipts of one charge, oldest first; none when the charge is unknown. */
  findReceiptsOfCharge(txid: string): Promise<PaymentReceived[]>
  /** Whether the provider calls the charge paid, also where its receipt doesn't name it. */
  isChargePaid(txid: string): Promise<boolean>
  findReceipt(endToEndId: string): Promise<PaymentReceived | null>
  /** Everything received in the window, oldest first, page by page; at some providers also what was refunded in it. */
  listReceipts(window: PspWindow): AsyncIterable<PaymentReceived[]>
  /** Receipts of the window that were refunded since. Null where listReceipts lists each refund when it happens. */
  readonly listRefundedReceipts: ((window: PspWindow) => AsyncIterable<PaymentReceived[]>) | null
  /**
   * Verifies by signature or certificate that the provider sent the webhook, in addition to the secret in its address.
   */
  isGenuine(webhook: PspWebhook): boolean
  /** Events that a webhook's body reports: hints to query, never proof. Null when unreadable. */
  eventsReportedBy(body: Buffer): ReportedEvent[] | null
  /** Throws WebhookTaken when another system's address stands where only one can, and it may not be replaced. */
  registerWebhook(url: string): Promise<void>
  /** Null where the provider's API has no payouts: withdrawals are then paid by hand. */
  readonly payouts: PspPayouts | null
  /** Refunds a payment, in full or in part, or returns the existing refund under this id. */
  requestRefund(request: PspRefundRequest): Promise<PspRefund>
  /** Null when the provider never accepted it. */
  findRefund(name: RefundName): Promise<PspRefund | null>
  /** Expiry of the client certificate; null without one. */
  readonly certificateEndsAt: Date | null
  /** The account's money, blocked money included. Null where the provider's API does not tell it. */
  readonly readBalance: (() => Promise<Cents>) | null
  /** Null where the provider's API reports no disputes: an admin registers them by hand. */
  readonly disputes: PspDisputes | null
  /** Entries of its lists that could not be read since the last call. */
  takeUnreadable(): UnreadableEntry[]
  /** Hours that are missing in the provider's stamps, as its charges showed. Absent where the provider is trusted. */
  readonly stampOffset?: StampOffset
  /**
   * The provider's time by the Date header of its last answer, now or at a moment of `performance.now()`. Null before
   * its first answer, and where it sends no Date.
   */
  bankTime(monotonicMs?: number): Date | null
}

/**
 * The earlier of our time and the provider's. A clock that is ahead can't pretend that a moment has passed, so whatever
 * can't be undone waits for this one.
 */
export function provenTime({ psp, clock }: { psp: Pick<Psp, "bankTime">; clock: Clock }): Date {
  const [ours, theirs] = [clock.now(), psp.bankTime()]
  return theirs !== null && theirs < ours ? theirs : ours
}

/** The same, with the time by which things are due. */
export function provenTimes({ psp, clock }: { psp: Pick<Psp, "bankTime">; clock: Clock }): Times {
  const now = provenTime({ psp, clock })
  return timesOf({ ...clock, now: () => now })
}

/** The later of our time and the provider's: a list that ends here can't miss what the provider has already booked. */
export function latestTime({ psp, clock }: { psp: Pick<Psp, "bankTime">; clock: Clock }): Date {
  const [ours, theirs] = [clock.now(), psp.bankTime()]
  return theirs !== null && theirs > ours ? theirs : ours
}

export interface StampOffset {
  /** Whole hours to add, 0 where the stamps are right. */
  hours: number
  /** Found out by this process, and not stored yet. */
  isNews: boolean
}

/** An entry of the provider's lists that can't be read, and so is in no book of ours. */
export interface UnreadableEntry {
  kind: "receipt" | "refund" | "payout"
  /** The provider's name for it, else a digest of its text. */
  reference: string
  /** As the provider wrote it. */
  amountText: string
  happenedAt: Date | null
}

/** Payments that payers dispute at their bank (MED). */
export interface PspDisputes {
  /** Null when the provider doesn't know it. */
  find(disputeId: string): Promise<PspDispute | null>
  /** Disputes that may have changed in the window, page by page. */
  list(window: PspWindow): AsyncIterable<PspDispute[]>
  /** Submits the seller's text; 'refused' is definite. Null where the provider's API takes no texts. */
  readonly defend: ((disputeId: string, text: string) => Promise<"taken" | "refused">) | null
}

export interface PspDispute {
  disputeId: string
  endToEndId: string
  /** Null where the provider's amount is ambiguous: then the whole payment is disputed. */
  amountCents: Cents | null
  reason: DisputeReason
  /** Text of the payer's bank, for people. */
  details: string
  state: DisputeState
  respondUntil: Date | null
  openedAt: Date | null
  updatedAt: Date | null
  closedAt: Date | null
  /** Text of the provider's analyst, for people. */
  analysis: string
}

export interface PspWindow {
  from: Date
  to: Date
  /**
   * Sent with milliseconds where the provider accepts them, else rounded outwards to seconds. By default seconds
   * suffice.
   */
  isNarrow?: boolean
}

export interface PspPayouts {
  /** Whether `find` and `list` also tell what receivers sent back. */
  readonly reportsReturns: boolean
  /** Whether it pays only when the key belongs to `holder`. */
  readonly checksHolder?: boolean
  /** Sends money to a Pix key, or returns the existing payout under this id. */
  send(request: PspPayoutRequest): Promise<PspPayout>
  /** Null when the provider never accepted it. */
  find(payoutId: string): Promise<PspPayout | null>
  /** All payouts requested in the window, by anybody and in any state, oldest first, page by page. */
  list(window: PspWindow): AsyncIterable<ListedPayout[]>
}

export interface PspWebhook {
  body: Buffer
  headers: IncomingHttpHeaders
  /** True when the request came through a trusted proxy; only then do its headers prove anything. */
  viaTrustedProxy: boolean
}

export type ReportedEvent =
  /**
   * With new refunds it is queried even when the receipt is already booked. `reportedAt` is the reported time of
   * payment, which locates it in lists.
   */
  | { kind: "receipt"; endToEndId: string; reportsRefunds: boolean; reportedAt: Date | null }
  /** A payment of this charge. */
  | { kind: "charge"; txid: string }
  /** A payout that came back is queried even when it is already settled. */
  | { kind: "payout"; payoutId: string; reportsReturn?: true }
  | { kind: "dispute"; disputeId: string }
  | { kind: "recurrence"; recurrenceId: string }
  | { kind: "debit"; txid: string }

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

/** One code from its creation to its last day, paid with the amount that its terms ask on the day. */
export interface PspDueCharges {
  /** Whether a debtor needs an address. */
  readonly needsAddress: boolean
  /** Creates the charge, or returns the existing one under this txid. */
  create(request: PspDueChargeRequest): Promise<PspCharge>
  /** Gives it these terms, unless it has them; 'paid' or 'ended' when that came first. */
  revise(request: PspDueChargeRequest): Promise<"revised" | "paid" | "ended">
}

export interface PspDueChargeRequest {
  /** Made by newDueTxid. */
  txid: string
  terms: DueTerms
  debtor: PspDebtor
  /** Shown to the payer by the bank, at most 140 characters. */
  description: string
}

export interface PspDebtor {
  name: string
  /** A CPF or CNPJ without punctuation. */
  document: string
  address: Readonly<Record<string, string>>
}

/** Recurrences that the payer authorises once in the bank's app, and a debit for each of their cycles. */
export interface PspAutomatic {
  /**
   * The only call that isn't idempotent, because the provider gives the id: after an 'unknown' failure it is looked for
   * by its contract before it is repeated.
   */
  createRecurrence(request: PspRecurrenceRequest): Promise<PspRecurrence>
  /** With the code that pays this charge first, where one is given. Null when the provider doesn't know it. */
  findRecurrence(recurrenceId: string, firstTxid?: string): Promise<PspRecurrence | null>
  /** Those made for this contract in the window, oldest first. */
  findRecurrencesByContract(contract: string, window: PspWindow): Promise<PspRecurrence[]>
  /** 'ended' when something else ended it first. */
  cancelRecurrence(recurrenceId: string): Promise<"cancelled" | "ended" | "absent">
  /** Creates the debit of one cycle, or returns the existing one under this txid. */
  createDebit(request: PspDebitRequest): Promise<PspDebit>
  findDebit(txid: string): Promise<PspDebit | null>
  /** 'too-late' on the day of its first attempt, and when the payer's bank has it already. */
  cancelDebit(txid: string): Promise<"cancelled" | "paid" | "ended" | "too-late" | "absent">
  /** Asks for one more attempt on this future day, or returns the debit that has it already. */
  retryDebit(txid: string, day: string): Promise<PspDebit>
  /** Those of the account, for recurrences and debits: one each. Throws WebhookTaken like registerWebhook. */
  registerWebhooks(url: string): Promise<void>
}

export interface PspRecurrenceRequest {
  /** Our id, at most 35 characters, unique for ever. */
  contract: string
  /** The name of the thing paid for, as the payer's bank shows it; at most 35 characters. */
  object: string
  debtor: Pick<PspDebtor, "name" | "document">
  amountCents: Cents
  period: "weekly" | "monthly" | "quarterly" | "half_yearly" | "yearly"
  /** The day of the first debit, in São Paulo. */
  firstDay: string
  lastDay: string | null
  retryPolicy: "none" | "three_in_seven_days"
  /** The charge to pay before the first debit, by the same code. */
  firstTxid: string | null
}

export interface PspRecurrence {
  recurrenceId: string
  contract: string
  state: "created" | "approved" | "rejected" | "expired" | "cancelled"
  /** The standard's code; null while it lives, and where it has expired. */
  ended: { by: "payer" | "payer_bank" | "us" | "our_bank"; code: string | null } | null
  /** Null where the payer's ceiling alone limits it. */
  amountCents: Cents | null
  /** Authorises, and pays the first charge where one was given. Null where the provider doesn't write it. */
  pixCode: string | null
  /** Null until the payer has chosen. */
  journey: 1 | 2 | 3 | 4 | null
  approvedAt: Date | null
}

export interface PspDebitRequest {
  /** As a charge's. */
  txid: string
  recurrenceId: string
  amountCents: Cents
  dueDay: string
  /** Shown to the payer by the bank, at most 140 characters. */
  description: string
}

export interface PspDebit {
  txid: string
  recurrenceId: string
  /** 'scheduled' once the payer's bank has taken it. */
  state: "created" | "scheduled" | "paid" | "expired" | "cancelled" | "rejected"
  amountCents: Cents | null
  /** The standard's code of its cancellation or rejection. */
  endedCode: string | null
  attempts: PspDebitAttempt[]
  receipts: PaymentReceived[]
}

interface PspDebitAttempt {
  /** 'same_day' is the payer's bank's own, after a failure of its operation. */
  kind: "first" | "later_day" | "same_day"
  day: string
  state: "requested" | "scheduled" | "paid" | "rejected" | "expired" | "cancelled"
  code: string | null
  endToEndId: string | null
}

/** A payment of a charge with a due day in the provider's words: original − discount + fine + interest. */
export interface PaymentParts {
  originalCents: Cents
  /** With an abatement. */
  discountCents: Cents
  fineCents: Cents
  interestCents: Cents
}

export interface PspPayoutRequest {
  /** Ours, 1 to 35 alphanumerics: the provider pays an id at most once. */
  payoutId: string
  pixKey: PixKey
  amountCents: Cents
  /** The receiver's CPF or CNPJ, where the provider checks it. */
  holder?: string
  /** Shown to the receiver, at most 140 characters. */
  description: string
}

export interface PspPayout {
  /** 'refused' is definite: no money moved and none will under this id. */
  state: "under-way" | "completed" | "refused"
  /** Null where the provider doesn't report it. */
  amountCents: Cents | null
  endToEndId: string | null
  /** The reason for the refusal, for people. */
  reason: string | null
  /** Null until completed, and where the provider doesn't report it. */
  settledAt: Date | null
  /** The part that its receiver has sent back so far; absent when nothing. */
  returned?: PspReturned
}

export interface PspReturned {
  /** The sum of all returns; null for all of the payout. */
  amountCents: Cents | null
  /** The latest, by the provider's clock. */
  at: Date | null
}

export interface ListedPayout extends PspPayout {
  /** Null for a payout made outside this API, such as by hand in the bank's own app. */
  payoutId: string | null
  requestedAt: Date | null
}

/** Refund ids are unique within their payment. */
export interface RefundName {
  endToEndId: string
  /**
   * Our id, 32 alphanumerics, under which the provider refunds at most once. For a refund that the provider began, its
   * own id of at most 64 characters.
   */
  pspRefundId: string
}

export interface PspRefundRequest extends RefundName {
  amountCents: Cents
  /** Shown to the payer, at most 140 characters. */
  description: string
}

export interface PspRefund {
  pspRefundId: string
  /** 'refused' is definite: nothing was returned and nothing will be under this id. */
  state: "under-way" | "completed" | "refused"
  /** Null where the provider doesn't report it. */
  amountCents: Cents | null
  /** The return's own id in the Pix network. */
  returnId: string | null
  /** The reason for the refusal, for people. */
  reason: string | null
  settledAt: Date | null
  /** True when the bank took it because of a dispute; absent where it doesn't say. */
  isDispute?: boolean
}

/** Money that reached our account at the provider. */
export interface PaymentReceived {
  provider: string
  endToEndId: string
  txid: string | null
  amountCents: Cents
  paidAt: Date
  /** Refunds that the provider knows, completed or under way. */
  refunds: PspRefund[]
  /** Absent where the provider doesn't tell them; nothing says that they add up. */
  parts?: PaymentParts
  /** Payer's name in one line. The standard doesn't tell it; some banks do. */
  payerName?: string
}

interface ContactFailure {
  at: Date
  /** The method of `Psp` that failed. */
  call: string
  message: string
}

/** Contact with the provider since the last reading. */
export interface RecentContacts {
  lastContactAt: Date | null
  lastFailure: ContactFailure | null
  lastWebhookAt: Date | null
  webhookRegisteredAt: Date | null
}

/**
 * 'rejected' is a definite refusal; after 'unknown' the call may or may not have been carried out; after 'unavailable'
 * it can't have been.
 */
type PspFailure = "rejected" | "unknown" | "unavailable"

export class PspError extends Error {
  readonly failure: PspFailure

  constructor(failure: PspFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "PspError"
    this.failure = failure
  }
}

/** Another system gets this account's webhooks: a person decides which one should. */
export class WebhookTaken extends PspError {
  /** Without the path, which may be a secret. */
  readonly host: string

  constructor(host: string) {
    super("rejected", `the webhook of our key is registered at ${host}`)
    this.name = "WebhookTaken"
    this.host = host
  }
}
