import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import type { AuditAction, AuditEntity } from "@tilinta/contract/vocabulary/audit"
import type { CloseKind } from "@tilinta/contract/vocabulary/books"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import type { EventType, WebhookProblem } from "@tilinta/contract/vocabulary/events"
import type { LegalKind, PaymentMails } from "@tilinta/contract/vocabulary/mails"
import type { AttemptKind, AttemptOutcome, MandateJourney, MandateStatus } from "@tilinta/contract/vocabulary/mandates"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Role, SecondApprovalAct, WantedChange } from "@tilinta/contract/vocabulary/people"
import type { ReminderStep } from "@tilinta/contract/vocabulary/reminders"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import type { AccountType, WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import type { ColumnType, Generated } from "kysely"

export interface BankData {
  bank: string
  agency: string
  account: string
  accountType: AccountType
}

/** Columns of an event's subject as they were. */
interface PastColumns {
  [column: string]: unknown
}

/**
 * Columns of which the catalog knows less: JSON, lists of words, words that no constraint or a very long one names, and
 * whether a generated column is ever null. Null and defaults come from the catalog.
 */
export interface ColumnTypes {
  "users.address": Record<string, string>
  "users.bank_account": Record<string, string>
  "users.payment_mails": PaymentMails
  "users.search_text": string
  "user_totals.role": Role
  "api_keys.scopes": ApiKeyScope[]
  "second_approvals.act": SecondApprovalAct
  "second_approvals.changes": WantedChange[]
  "settings.value": number | string | boolean
  "audit_records.action": AuditAction
  "audit_records.entity": AuditEntity
  "legal_acceptances.kind": LegalKind
  "event_drafts.type": EventType
  "event_drafts.state": PastColumns
  "events.type": EventType
  "events.state": PastColumns
  "webhook_endpoints.types": EventType[]
  "webhook_endpoints.last_problem": WebhookProblem
  "webhook_deliveries.last_problem": WebhookProblem
  "webhook_attempts.problem": WebhookProblem
  "charge_pages.suggested_cents": Cents[]
  "counter_favourites.favourites": { name: string; amountCents: Cents }[]
  "charge_pages.search_text": string
  "charge_pages.description_text": string
  "charge_pages.ended_as": ChargePageStatus | null
  "charge_totals.status": TransactionStatus
  "charge_page_totals.status": ChargePageStatus
  "charges.closed_as": string | null
  "charges.asked_for": Record<string, number>
  "customers.address": Record<string, string>
  "customers.name_key": string
  "customers.search_text": string | null
  "invoices.customer": { name: string; document: string | null; email: string | null; phone: string | null }
  "invoices.order_data": {
    externalReference: string | null
    metadata: Record<string, string>
    returnUrl: string | null
  }
  "invoices.paid_parts": Record<
    "paidCents" | "originalCents" | "discountCents" | "fineCents" | "interestCents" | "differenceCents" | "ourCents",
    Cents
  >
  "invoices.search_text": string
  "invoices.terms": Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">
  "subscriptions.terms": Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">
  "debits.attempts": { kind: AttemptKind; day: string; outcome: AttemptOutcome; code: string | null }[]
  "mandates.journey": MandateJourney
  "mandates.status": MandateStatus
  "plans.terms": Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">
  "invoice_revisions.terms": Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">
  "reminder_settings.steps": Partial<Record<ReminderStep, { enabled?: boolean; text?: string }>>
  "orders.metadata": Record<string, string>
  "orders.reference_text": string | null
  "payments.status_before": TransactionStatus
  /** Inserted as the text that PostgreSQL wrote. */
  "chain_blocks.keys": ColumnType<string[], string, never>
  /** A trigger copies these from the payment. */
  "unmatched_payments.amount_cents": Generated<Cents>
  "unmatched_payments.paid_at": Generated<Date>
  "withdrawals.bank_data": BankData
  "withdrawals.search_text": string | null
  "destinations.bank_data": BankData
  "withdrawal_totals.status": WithdrawalStatus
  "daily_close_entries.kind": CloseKind
  "ledger_checks.differences": { what: string; expected: string; found: string }[]
  "ledger_accounts.kind": string
}
