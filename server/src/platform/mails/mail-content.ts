import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import type { WebhookProblem } from "@tilinta/contract/vocabulary/events"
import type { NoticeTopic } from "@tilinta/contract/vocabulary/mails"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { deviceName, type SecondFactor } from "@tilinta/contract/vocabulary/people"
import type { ReminderStep } from "@tilinta/contract/vocabulary/reminders"
import type { SubscriptionPeriod } from "@tilinta/contract/vocabulary/subscriptions"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import type {
  HandSettlementOutcome,
  HandSettlementSubject,
  WithdrawalMethod,
} from "@tilinta/contract/vocabulary/withdrawals"
import { currentDevice } from "#kit/request-scope"
import type { Actor } from "#platform/audit/rules"

/** The request's origin. The user agent is anybody's text, so only the device's name is ever shown. */
export interface Whence {
  /** The IP address; null when unknown. */
  address?: string | null
  userAgent?: string | null | undefined
  /** The name of who of the team did it; the owner themselves without one. */
  person?: string
}

export function whenceOf({ address, device, person }: Actor): Whence {
  return { address, userAgent: device ?? currentDevice(), ...(person && { person: person.name }) }
}

export function whenceFacts({ address, userAgent, person }: Whence) {
  return [
    ...(person ? [{ label: "Quem fez", value: person }] : []),
    ...(userAgent ? [{ label: "Aparelho", value: deviceName(userAgent) }] : []),
    ...(address ? [{ label: "Endereço IP", value: address }] : []),
  ]
}

/** The effect of 'Não fui eu'. */
export interface FreezeFacts {
  address: string
  cancelledCount: number
  cancelledCents: Cents
  /** Both absent in older notices. */
  removedCount?: number
  invitationCount?: number
}

export function freezeFacts({ address, cancelledCount, cancelledCents, ...team }: FreezeFacts) {
  const { removedCount = 0, invitationCount = 0 } = team
  return [
    { label: "Endereço IP", value: address },
    { label: "Saques cancelados", value: String(cancelledCount) },
    ...(cancelledCount === 0 ? [] : [{ label: "De volta ao saldo", value: reaisText(cancelledCents) }]),
    ...(removedCount === 0 ? [] : [{ label: "Removidos da equipe", value: String(removedCount) }]),
    ...(invitationCount === 0 ? [] : [{ label: "Convites cancelados", value: String(invitationCount) }]),
  ]
}

export type AccountMailContent =
  | (Whence & {
      kind: "reset_password"
      token: string
      /** How long the link works. */
      minutes: number
    })
  | { kind: "invitation"; token: string }
  | {
      /** To an address that may have no account: the row's user is the shop. */
      kind: "team_invitation"
      shop: string
      inviter: string
      role: ShopRole
      token: string
    }
  | { kind: "confirm_email"; token: string }
  | {
      kind: "signup_repeated"
      attemptedAt: string
      /** The IP address of the request. */
      address: string
    }
  | (Whence & { kind: "password_changed"; changedAt: string })
  | { kind: "email_changed"; changedAt: string }
  | { kind: "new_email"; token: string }
  | (Whence & {
      kind: "bank_account_changed"
      changedAt: string
      /** Masked, as the owner recognises them. */
      changes: { label: string; before: string; after: string }[]
    })
  | (Whence & {
      kind: "second_factor_changed"
      change: "added" | "removed" | "recovery_used" | "recovery_renewed"
      factor: SecondFactor
      /** The passkey's; empty without one. */
      name: string
      changedAt: string
    })
  | (Whence & {
      kind: "api_key_created"
      name: string
      hint: string
      scopes: readonly ApiKeyScope[]
      createdAt: string
    })

/** A mail's content as stored until it is sent. Timestamps are ISO 8601. */
/** The fate of a customer's authorisation, or of a debit. */
type AutomaticChange = "authorised" | "authorisation_ended" | "debit_coming" | "debit_failed"

export type MailContent =
  | AccountMailContent
  | (Whence & {
      kind: "webhook_address"
      url: string
      /** The former URL; null for a new webhook. */
      formerUrl: string | null
      changedAt: string
    })
  | { kind: "webhook_failing"; url: string; since: string; problem: WebhookProblem }
  | {
      kind: "payment_received"
      pageTitle: string
      payerName: string | null
      amountCents: Cents
      feeCents: Cents
      netCents: Cents
      paidAt: string
    }
  | {
      /** To the payer, who has no account: the row's user is the seller, whose name it doesn't greet. */
      kind: "receipt"
      payerName: string
      receiver: string
      /** Today's; absent without a shop. */
      shop?: { name: string; email: string }
      pageTitle: string
      amountCents: Cents
      paidAt: string
      endToEndId: string
      /** The payer's receipt, with their token. */
      url: string
    }
  | {
      /** To the customer, who has no account: the row's user is the seller. */
      kind: "subscription"
      change: "started" | "price" | AutomaticChange
      customerName: string
      receiver: string
      shop?: { name: string; email: string }
      title: string
      amountCents: Cents
      /** The price before a new one. */
      formerCents?: Cents
      period: SubscriptionPeriod
      nextDueDay: string | null
      /** The receiver as the bank shows it, and why a debit was not made; absent where nothing is debited. */
      debit?: { day?: string; inFavourOf: string; problem?: string; retryDay?: string }
      /** The customer's own page, or the invoice's. */
      url: string
    }
  | {
      /** To the address that a customer had before, from the seller's entry of them. */
      kind: "customer_email_changed"
      customerName: string
      receiver: string
      shop?: { name: string; email: string }
      changedAt: string
    }
  | {
      /** To a customer, who has no account either. */
      kind: "reminder"
      customerName: string
      shop: { name: string; email: string }
      step: ReminderStep
      /** In the seller's words, filled in. */
      text: string
      /** The first is what the text is about. */
      invoices: { description: string; amountCents: Cents; dueDay: string; url: string }[]
      /** The customer's own page of the subscription that the first is a cycle of; absent where it is of none. */
      subscriptionUrl?: string
      unsubscribeUrl: string
    }
  | {
      kind: "payment_refunded"
      origin: "admin" | "bank"
      pageTitle: string
      amountCents: Cents
      /** The amount taken from the seller's balance; the rest is the fee's share. */
      takenCents: Cents
      reason: string
      refundedAt: string
      /** The name of who of the team asked for it; absent for the seller. */
      person?: string
    }
  | {
      kind: "dispute_opened"
      /** The disputed payment's charge; absent in mails written before. */
      chargeId?: string
      pageTitle: string
      amountCents: Cents
      /** The amount blocked on the seller's available balance for now. */
      blockedCents: Cents
      reason: DisputeReason
      respondUntil: string | null
    }
  | { kind: "dispute_closed"; chargeId?: string; pageTitle: string; amountCents: Cents; isDebited: boolean }
  | {
      kind: "withdrawal_requested"
      sellerName: string
      amountCents: Cents
      method: WithdrawalMethod
      /** Masked. */
      destination: string
      /** Compared with the seller's last paid withdrawal. */
      comparison: "first" | "same" | "changed"
      requestedAt: string
    }
  | {
      kind: "withdrawal_step"
      step: WithdrawalStep
      amountCents: Cents
      /** Masked. */
      destination: string
      endToEndId: string | null
      /** The admin's note, or the bank's reason. */
      note: string
      happenedAt: string
      /** The name of who of the team asked for it; absent for the seller. */
      person?: string
    }
  | {
      kind: "payments_of_day"
      /** São Paulo's. */
      day: string
      count: number
      grossCents: Cents
      feeCents: Cents
      netCents: Cents
    }
  | {
      kind: "withdrawal_returned"
      amountCents: Cents
      /** The amount that is back in the balance. */
      returnedCents: Cents
      method: WithdrawalMethod
      reason: string
      /** False where it could not be paid at all. */
      wasPaid: boolean
      returnedAt: string
    }
  | { kind: "checkpoint"; day: string; note: string }
  | {
      kind: "chain_rewritten"
      foundAt: string
      /** The blocks that were signed; null where the database lost its last checkpoint. */
      size: number | null
      blockCount: number
    }
  | { kind: "daily_close_differs"; closeId: string; day: string; provider: string; count: number }
  | {
      kind: "bank_balance_differs"
      closeId: string
      day: string
      provider: string
      bankCents: Cents
      ourCents: Cents
      /** The part of bank − ours that money under way does not explain. */
      differenceCents: Cents
    }
  | {
      kind: "settlement_waits"
      subject: HandSettlementSubject
      outcome: HandSettlementOutcome
      endToEndId: string | null
      reason: string
      amountCents: Cents
      /** Null for the refund of a payment that nobody was credited for. */
      sellerName: string | null
      saidBy: string
      saidAt: string
      screen: SettlementScreen
      screenId: string
    }
  | NoticeMail

/** A notice that has no letter of its own: its text was written with the notice. */
export interface NoticeMail {
  kind: "notice"
  subject: string
  text: string
  facts: { label: string; value: string }[]
  /** On our own site. */
  action: { label: string; path: string }
  /** Advice to a reader who didn't do it; empty without any. */
  note: string
}

/** The screens on which administrators settle by hand. */
export type SettlementScreen = "withdrawals" | "transactions" | "unmatched-payments"

/** Steps of a withdrawal that its seller hears of. */
export type WithdrawalStep = "requested" | "approved" | "completed" | "rejected"

/** Kinds that a seller may choose not to get. */
export function isOptional(kind: MailContent["kind"]): boolean {
  return kind === "payment_received" || kind === "payments_of_day"
}

const secretKinds = new Set<MailContent["kind"]>([
  "reset_password",
  "invitation",
  "team_invitation",
  "confirm_email",
  "new_email",
  "receipt",
  "subscription",
  "customer_email_changed",
  "reminder",
])

/** True when its link opens an account, or a payer's data, or it is of use on its day alone: the content is erased once the mail is sent or given up. */
export function holdsSecret(kind: MailContent["kind"]): boolean {
  return secretKinds.has(kind)
}

const minute = 60
const day = 86_400

/** After this time the mail is of no use to anybody. */
export const mailLifetimeSeconds = {
  reset_password: 30 * minute,
  invitation: 3 * day,
  team_invitation: 3 * day,
  confirm_email: day,
  signup_repeated: 3 * day,
  password_changed: 3 * day,
  email_changed: 3 * day,
  new_email: 3 * day,
  bank_account_changed: 3 * day,
  second_factor_changed: 3 * day,
  webhook_address: 7 * day,
  webhook_failing: 2 * day,
  api_key_created: 3 * day,
  payment_received: 3 * day,
  receipt: 3 * day,
  subscription: 3 * day,
  customer_email_changed: 3 * day,
  reminder: day,
  payments_of_day: 3 * day,
  payment_refunded: 3 * day,
  dispute_opened: 3 * day,
  dispute_closed: 3 * day,
  withdrawal_requested: 3 * day,
  withdrawal_step: 3 * day,
  withdrawal_returned: 3 * day,
  daily_close_differs: 3 * day,
  bank_balance_differs: 3 * day,
  settlement_waits: 3 * day,
  checkpoint: 7 * day,
  chain_rewritten: 7 * day,
  notice: 3 * day,
} as const satisfies Record<MailContent["kind"], number>

export interface NewMail {
  userId: string
  /** Overrides the user's address at the time of sending. */
  to?: string
  content: MailContent
  /** A token from `issueNotMeLink`: the mail gets the button 'Não fui eu', which stops the account. */
  notMe?: string
  /** Deduplication: one mail per key, however often it is enqueued. */
  dedupeKey: string
}

/** A link's mail lives no longer than the link. */
export function lifetimeSecondsOf(content: MailContent): number {
  return content.kind === "reset_password" ? content.minutes * minute : mailLifetimeSeconds[content.kind]
}

export interface NoticeText {
  /** One line, which is also the mail's subject. */
  title: string
  text: string
  facts?: { label: string; value: string }[]
  /** The screen that shows more, on our own site. */
  action: { label: string; path: string }
  /** Advice that only this notice has. */
  note?: string
  /** Advice to a reader who didn't do it, for the mail alone: the list gives it once, below. */
  ifNotYou?: string
}

/** How a kind of notice reads, and whether a mail goes, too. */
export interface NoticeKind<Facts extends object> {
  /** Security is what an account's owner looks through for what they did not do. */
  topic: NoticeTopic
  /** A warning asks its reader to make sure that it was them. */
  tone: "info" | "warning"
  write(facts: Facts): NoticeText
  /** `true` mails the notice's own text; a function gives a letter that exists apart, or none. */
  mail: boolean | ((facts: Facts) => MailContent | null)
}

/** Names the facts of a kind, which its text is written from. Moments are ISO 8601, amounts centavos. */
export function noticeKind<Facts extends object>(kind: NoticeKind<Facts>): NoticeKind<Facts> {
  return kind
}

const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: "America/Sao_Paulo",
})

export function momentText(iso: string): string {
  return inSaoPaulo.format(new Date(iso)).replace(",", " às")
}
