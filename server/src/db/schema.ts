// Written by `npm run db:types` from the database's schema and ./column-types.ts.
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { ColumnType, Generated } from "kysely"
import type { ColumnTypes } from "./column-types.ts"

export interface AccountDaysTable {
  account: string
  day: string
  credits_cents: Cents
  debits_cents: Cents
  balance_cents: Cents
  first_xid: string | null
  last_xid: string | null
}

export interface ActiveChargePagesTable {
  page_id: string
  seller_id: string
  created_at: Date
  expires_at: Date | null
}

export interface ApiKeysTable {
  id: string
  user_id: string
  token_hash: Buffer
  name: string
  hint: string
  scopes: ColumnTypes["api_keys.scopes"]
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  revoked_at: Date | null
}

export interface AuditRecordsTable {
  id: string
  happened_at: Date
  actor_id: string | null
  actor_address: string | null
  actor_key_id: string | null
  action: ColumnTypes["audit_records.action"]
  entity: ColumnTypes["audit_records.entity"]
  entity_id: string
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
  actor_device: string | null
  request_id: string | null
  xid: Generated<string>
}

export interface AutomaticSellersTable {
  seller_id: string
  reason: string
  enabled_by: string
  enabled_at: Date
}

export interface BackupsTable {
  id: string
  started_at: Date
  finished_at: Date | null
  requested_by: string | null
  file: string
  size_bytes: number | null
  error: string | null
}

export interface BankBalancesTable {
  close_id: string
  at: Date
  bank_cents: Cents
  our_cents: Cents
  difference_cents: Cents
  typed_by: string | null
  read_again_until: Date | null
}

export interface BankDebitsTable {
  id: string
  key: string
  day: string
  amount_cents: Cents
  text: string
  withdrawal_id: string | null
}

export interface BankStatementsTable {
  id: string
  digest: string
  debit_keys: string[]
  imported_by: string
  imported_at: Date
}

export interface ChainBlocksTable {
  number: number
  sealed_at: Date
  row_count: number
  previous: Buffer
  root: Buffer
  keys: ColumnTypes["chain_blocks.keys"]
  hashes: Buffer
  nodes: Buffer
  first_at: Date | null
  last_at: Date | null
}

export interface ChainCheckpointsTable {
  day: string
  note: string
  signed_at: Date
  xid: Generated<string>
}

export interface ChainHeadTable {
  until: Generated<string>
  block_count: Generated<number>
  note: string | null
  is_only: Generated<boolean>
}

export interface ChargeChangesTable {
  seller_id: string
  day: string
  status: string | null
  paid_day: string | null
  status_before: string | null
  paid_day_before: string | null
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
  refunded_cents_before: Generated<number>
  refunded_fee_cents_before: Generated<number>
}

export interface ChargePageSlugsTable {
  slug: string
  page_id: string
  created_at: Generated<Date>
}

export interface ChargePageTotalsTable {
  seller_id: string
  status: ColumnTypes["charge_page_totals.status"]
  count: number
}

export interface ChargePagesTable {
  id: string
  seller_id: string
  title: string
  description: Generated<string>
  amount_cents: Cents
  max_amount_cents: Cents | null
  suggested_cents: Generated<ColumnTypes["charge_pages.suggested_cents"]>
  unique_link: string
  slug: string
  allow_anonymous: boolean
  require_name: boolean
  require_email: boolean
  require_phone: boolean
  require_cpf: boolean
  expires_in_hours: number
  expires_at: Date | null
  max_payments: number | null
  deleted_at: Date | null
  suspended_at: Date | null
  suspended_for: "scam" | "impersonation" | "not_delivered" | "illegal" | "other" | null
  created_at: Date
  search_text: ColumnType<ColumnTypes["charge_pages.search_text"], never, never>
  description_text: ColumnType<ColumnTypes["charge_pages.description_text"], never, never>
  ended_as: ColumnType<ColumnTypes["charge_pages.ended_as"], never, never>
  counted_at_once: Generated<boolean>
  is_single: Generated<boolean>
  is_invoice: Generated<boolean>
  is_unlisted: Generated<boolean>
  folded_below: Generated<string>
  status: "active" | "completed" | "expired" | "cancelled"
  payments_count: Generated<number>
  updated_at: Date
}

export interface ChargeSearchTextsTable {
  charge_id: string
  source: "charge" | "payment"
  folded: string
}

export interface ChargeTotalsTable {
  seller_id: string
  status: ColumnTypes["charge_totals.status"]
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Cents
  refunded_fee_cents: Cents
}

export interface ChargeWordingsTable {
  page_id: string
  digest: string
  seller_id: string
  folded: string
}

export interface ChargesTable {
  id: string
  seller_id: string
  page_id: string | null
  amount_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  created_at: Date
  expires_at: Date
  fee_basis_points: number
  txid: string | null
  provider: string
  page_title: string
  description: Generated<string>
  payer_name: string | null
  payer_email: string | null
  payer_document: string | null
  payer_phone: string | null
  payer_erased_at: Date | null
  idempotency_key: string | null
  request_hash: Buffer | null
  pix_code: string | null
  closed_as: ColumnType<ColumnTypes["charges.closed_as"], never, never>
  removal: Generated<"none" | "due" | "done" | "given_up">
  removal_not_before: Generated<Date>
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
  opened_at: Date | null
  is_late: Generated<boolean>
  is_duplicate: Generated<boolean>
  updated_at: Date
  paid_at: Date | null
  status: "creating" | "pending" | "paid" | "expired" | "cancelled" | "failed" | "refunded"
  end_to_end_id: string | null
  asked_for: ColumnType<ColumnTypes["charges.asked_for"] | null, string | null, never>
}

export interface CounterFavouritesTable {
  seller_id: string
  favourites: ColumnType<ColumnTypes["counter_favourites.favourites"], string, string>
  updated_at: Date
}

export interface CounterSalesTable {
  charge_id: string
  seller_id: string
  sold_by: string
  created_at: Date
  shift_id: string | null
}

export interface CounterShiftsTable {
  id: string
  seller_id: string
  person_id: string
  closed_at: Date
}

export interface CustomersTable {
  id: string
  seller_id: string
  name: string
  document: string | null
  email: string | null
  phone: string | null
  address: ColumnType<ColumnTypes["customers.address"], string | undefined, string>
  notes: Generated<string>
  external_reference: string | null
  created_at: Date
  updated_at: Date
  archived_at: Date | null
  last_used_at: Date
  erasure_asked_at: Date | null
  erased_at: Date | null
  reminders_ended_at: Date | null
  mail_token: Generated<string>
  name_key: ColumnType<ColumnTypes["customers.name_key"], never, never>
  search_text: ColumnType<ColumnTypes["customers.search_text"], never, never>
}

export interface DailyCloseDifferencesTable {
  close_id: string
  kind: "receipt" | "refund" | "payout" | "balance"
  reference: string
  problem: "missing_with_us" | "missing_at_bank" | "other_amount" | "other_state" | "unreadable"
  our_cents: Cents | null
  bank_cents: Cents | null
  our_state: string | null
  bank_state: string | null
  happened_at: Date | null
  is_mended: Generated<boolean>
  found_at: Date
  run_id: string | null
}

export interface DailyCloseEntriesTable {
  run_id: string
  kind: ColumnTypes["daily_close_entries.kind"]
  reference: string
  amount_cents: Cents | null
  state: string
  happened_at: Date | null
}

export interface DailyCloseTotalsTable {
  close_id: string
  kind: "receipt" | "refund" | "payout"
  our_count: number
  our_cents: Cents
  bank_count: number
  bank_cents: Cents
}

export interface DailyClosesTable {
  id: string
  provider: string
  day: string
  closed_at: Date | null
  comparisons: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  difference_count: Generated<number>
  mended_count: Generated<number>
  next_attempt_at: Date | null
  run_id: string | null
}

export interface DebitsTable {
  id: string
  seller_id: string
  mandate_id: string
  invoice_id: string
  provider: string
  txid: string
  amount_cents: Cents
  due_day: string
  created_at: Date
  is_sent: boolean
  attempts: ColumnType<ColumnTypes["debits.attempts"], string, string>
  ended_code: string | null
  cancel_since: Date | null
  retry_day: string | null
  retry_sent_at: Date | null
  ended_at: Date | null
  ask_at: Date
  status: "created" | "scheduled" | "paid" | "failed" | "cancelled"
  updated_at: Date
}

export interface DestinationsTable {
  id: string
  seller_id: string
  target: string
  method: "pix" | "bank_transfer"
  pix_key: string | null
  pix_key_kind: "cpf" | "cnpj" | "email" | "phone" | "evp" | null
  bank_data: ColumnType<ColumnTypes["destinations.bank_data"] | null, string | null, never>
  first_used_at: Date
  last_used_at: Date
  confirmed_by: "password" | "second_factor" | null
  removed_at: Date | null
  owner: "confirmed_by_bank" | "confirmed_by_person" | "other" | null
  owner_reason: Generated<string>
  owner_said_by: string | null
  owner_said_at: Date | null
  owner_mac: string | null
}

export interface DisputesTable {
  id: string
  provider: string
  psp_dispute_id: string | null
  end_to_end_id: string
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  blocked_cents: Generated<Cents>
  debited_cents: Generated<Cents>
  movements: Generated<number>
  reason: "fraud" | "account_takeover" | "coercion" | "unauthorised_access" | "operational" | "other"
  details: Generated<string>
  state: "open" | "defended" | "accepted" | "rejected" | "cancelled"
  respond_until: Date | null
  opened_at: Date
  reported_at: Date | null
  closed_at: Date | null
  settled_at: Date | null
  analysis: Generated<string>
  defence: string | null
  defence_state: Generated<"none" | "waiting" | "sent" | "kept" | "refused">
  defended_by: string | null
  defended_at: Date | null
  next_attempt_at: Date | null
  attempts: Generated<number>
  registered_by: string | null
  closed_by: string | null
  admin_notes: Generated<string>
  created_at: Date
  updated_at: Date
}

export interface DuePaymentsTable {
  end_to_end_id: string
  charge_id: string
  amount_cents: Cents
  original_cents: Cents
  discount_cents: Cents
  fine_cents: Cents
  interest_cents: Cents
  difference_cents: Cents
  our_cents: Cents
  computed_by: "us" | "bank"
}

export interface EmailChangesTable {
  user_id: string
  token_hash: Buffer
  email: string
  asked_by: string
  created_at: Date
  expires_at: Date
}

export interface EmailConfirmationsTable {
  token_hash: Buffer
  user_id: string
  email_key: string
  created_at: Date
  expires_at: Date
}

export interface EnteredStatementsTable {
  below: Generated<string>
  closed_until: Generated<Date>
  is_only: Generated<boolean>
}

export interface EventDraftsTable {
  id: Generated<number>
  xid: Generated<string>
  occurred_at: Date
  seller_id: string
  subject_id: string
  type: ColumnTypes["event_drafts.type"]
  state: ColumnType<ColumnTypes["event_drafts.state"] | null, string | null, never>
}

export interface EventSequencesTable {
  seller_id: string
  last_sequence: number
}

export interface EventsTable {
  sequence: number
  occurred_at: Date
  seller_id: string
  subject_id: string
  type: ColumnTypes["events.type"]
  state: ColumnType<ColumnTypes["events.state"] | null, string | null, never>
}

export interface FailedLoginsTable {
  id: Generated<number>
  account_key: string
  address: string
  failed_at: Generated<Date>
}

export interface FoldedPaymentsTable {
  below: Generated<string>
  is_only: Generated<boolean>
}

export interface FreezesTable {
  id: string
  user_id: string
  frozen_at: Date
  address: string
  trusts_factors_until: Date
  ended_at: Date | null
  ended_by: string | null
}

export interface HandPayoutsTable {
  withdrawal_id: string
  claimed_by: string | null
  claimed_at: Date | null
  bank_id: string | null
}

export interface HandSettlementsTable {
  subject_id: string
  subject: "withdrawal" | "refund"
  outcome: "paid" | "not_paid"
  end_to_end_id: string | null
  reason: string
  proposed_by: string
  proposed_at: Date
  confirmed_by: string | null
  settled_at: Date | null
  mac: string | null
}

export interface IdempotencyKeysTable {
  owner_id: string
  key: string
  request_hash: Buffer
  resource_id: string
  created_at: Generated<Date>
}

export interface InvoiceDaysTable {
  invoice_id: string
  revision: number
  day: string
  amount_cents: Cents
  original_cents: Cents
  discount_cents: Cents
  fine_cents: Cents
  interest_cents: Cents
}

export interface InvoicePaymentsTable {
  end_to_end_id: string
  invoice_id: string
  paid_cents: Cents
  original_cents: Cents
  discount_cents: Cents
  fine_cents: Cents
  interest_cents: Cents
  difference_cents: Cents
  computed_by: "us" | "bank"
}

export interface InvoiceRevisionsTable {
  invoice_id: string
  revision: number
  amount_cents: Cents
  due_day: string
  days_after_due: number
  terms: ColumnType<ColumnTypes["invoice_revisions.terms"], string, never>
  made_at: Date
}

export interface InvoiceTotalsTable {
  seller_id: string
  status: string
  count: number
  paid_cents: Cents
}

export interface InvoicesTable {
  id: string
  seller_id: string
  customer_id: string
  page_id: string
  mode: "daily" | "bank"
  amount_cents: Cents
  due_day: string
  days_after_due: number
  fee_basis_points: number
  terms: ColumnType<ColumnTypes["invoices.terms"], string, string>
  adjusted_due_day: string
  last_day: string
  series_id: string | null
  subscription_id: string | null
  unique_link: string
  customer: ColumnType<ColumnTypes["invoices.customer"], string, never>
  order_data: ColumnType<ColumnTypes["invoices.order_data"], string, string>
  description: string
  revision: Generated<number>
  created_at: Date
  settled_for: string | null
  overdue_published_at: Date | null
  opened_at: Date | null
  refunded_at: Date | null
  charge_id: string | null
  paid_cents: Cents | null
  paid_at: Date | null
  paid_parts: ColumnType<ColumnTypes["invoices.paid_parts"] | null, string | null, never>
  pix_code: string | null
  bank_revision: number | null
  bank_refusal: string | null
  bank_ask_at: Generated<Date>
  debit_from: Date | null
  search_text: ColumnType<ColumnTypes["invoices.search_text"], never, never>
  status: "creating" | "open" | "paid" | "cancelled" | "expired" | "settled_outside"
  updated_at: Date
}

export interface JobRunsTable {
  name: string
  every_seconds: number
  last_started_at: Date
  last_duration_ms: number
  last_succeeded_at: Date | null
  last_failed_at: Date | null
  last_error: string | null
  failures_in_row: Generated<number>
}

export interface JournalTable {
  kind: string
  reference: string
  line: number
  may_overdraw: Generated<boolean>
  seller_id: string | null
  debit_account: string
  credit_account: string
  amount_cents: Cents
  occurred_at: Date
  booked_at: Generated<Date>
  number: Generated<number>
  xid: Generated<string>
}

export interface KeptChargeDayTotalsTable {
  seller_id: string
  day: string
  status: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface KeptChargeTotalsTable {
  seller_id: string
  status: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface KeptPaidDayTotalsTable {
  seller_id: string
  day: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface KnownDevicesTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
}

export interface LedgerAccountsTable {
  id: string
  kind: ColumnTypes["ledger_accounts.kind"]
  seller_id: string | null
  balance_cents: Generated<Cents>
  floor_cents: Generated<Cents>
}

export interface LedgerChecksTable {
  id: string
  started_at: Date
  finished_at: Date | null
  requested_by: string | null
  posting_count: number | null
  difference_count: number | null
  differences: ColumnType<ColumnTypes["ledger_checks.differences"] | null, string | null, string | null>
  error: string | null
}

export interface LedgerPostingsTable {
  kind: string
  reference: string
  line: number
  seller_id: string | null
  debit_account: string
  credit_account: string
  may_overdraw: boolean
  amount_cents: Cents
  occurred_at: Date
  booked_at: Date
  number: number
}

export interface LegalAcceptancesTable {
  user_id: string
  kind: ColumnTypes["legal_acceptances.kind"]
  version: number
  accepted_at: Date
}

export interface LegalTextsTable {
  kind: "terms" | "privacy"
  version: number
  body: string
  published_at: Date
  published_by: string | null
}

export interface MailsTable {
  id: string
  user_id: string
  to_address: string | null
  content: ColumnType<unknown, string, string>
  dedupe_key: string
  created_at: Date
  send_after: Date
  give_up_at: Date
  attempts: Generated<number>
  sent_at: Date | null
  given_up_at: Date | null
  last_error: string | null
}

export interface MandatesTable {
  id: string
  seller_id: string
  subscription_id: string
  provider: string
  contract: string
  journey: ColumnTypes["mandates.journey"]
  retry_policy: "none" | "three_in_seven_days"
  amount_cents: Cents
  starts_on: string
  first_txid: string | null
  expires_at: Date
  created_at: Date
  recurrence_id: string | null
  pix_code: string | null
  ended_code: string | null
  cancel_since: Date | null
  rests_for: "disputed" | "same_bank" | "account_closed" | "debtor_differs" | "receiver_differs" | null
  missed_at: Date | null
  approved_at: Date | null
  ended_at: Date | null
  ask_at: Date
  status: ColumnTypes["mandates.status"]
  updated_at: Date
}

export interface ManualEntriesTable {
  id: string
  kind: "own_payout" | "bank_tariff" | "capital_in" | "yield" | "correction"
  direction: "credit" | "debit" | null
  amount_cents: Cents
  provider: string
  seller_id: string | null
  reason: string
  reference: string | null
  reverses: string | null
  created_by: string
  created_at: Date
  approved_by: string | null
  booked_at: Date | null
  refused_by: string | null
  refused_at: Date | null
  mac: string | null
  xid: Generated<string>
}

export interface MoneyKindTable {
  kind: "sandbox" | "homologation" | "real"
  chosen_at: Generated<Date>
}

export interface NotMeLinksTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface NoticesTable {
  id: string
  user_id: string
  told_at: Date
  topic: "activity" | "security"
  content: ColumnType<unknown, string, string>
  dedupe_key: string
  read_at: Date | null
}

export interface NumberedEventsTable {
  until: Generated<string>
  is_only: Generated<boolean>
}

export interface OpenChargesTable {
  charge_id: string
  seller_id: string
  page_id: string
  created_at: Date
  expires_at: Date
}

export interface OrdersTable {
  page_id: string
  seller_id: string
  external_reference: string | null
  metadata: ColumnType<ColumnTypes["orders.metadata"], string, string>
  return_url: string | null
  is_released: Generated<boolean>
  reference_text: ColumnType<ColumnTypes["orders.reference_text"], never, never>
}

export interface OutboxMailsTable {
  id: string
  to_address: string
  to_key: string
  subject: string
  text: string
  html: string
  sent_at: Date
}

export interface PageOpeningTotalsTable {
  seller_id: string
  day: string
  count: number
}

export interface PageReportsTable {
  id: string
  page_id: string
  status: "open" | "suspended" | "dismissed" | "lifted"
  reasons: string[]
  reporters: string[]
  created_at: Date
  last_reported_at: Date
  suspended_for: string | null
  decided_by: string | null
  decided_at: Date | null
  lifted_by: string | null
  lifted_at: Date | null
}

export interface PasskeyChallengesTable {
  challenge: Buffer
  purpose: "enrolment" | "sign_in" | "step_up"
  session_hash: Buffer | null
  expires_at: Date
}

export interface PasskeyOwnersTable {
  user_id: string
  handle: Buffer
  created_at: Date
}

export interface PasskeysTable {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[]
  rp_id: string
  name: string
  created_at: Date
  last_used_at: Date | null
  mac: string
}

export interface PasswordResetRequestsTable {
  id: Generated<number>
  email_key: string
  address: string
  user_agent: string
  requested_at: Date
}

export interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
  by_hand: Generated<boolean>
}

export interface PayerDataWaitingTable {
  charge_id: string
  look_at: Date
  asked_at: Date | null
}

export interface PayerTokenKeyTable {
  key: Buffer
}

export interface PaymentsTable {
  end_to_end_id: string
  provider: string
  txid: string | null
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  paid_at: Date
  received_at: Generated<Date>
  xid: Generated<string>
  fee_cents: Generated<Cents>
  page_id: string | null
  completed_page_id: string | null
  charge_day: string | null
  status_before: ColumnTypes["payments.status_before"] | null
  disposition: "credited" | "suspense"
  reason: "unknown_txid" | "wrong_amount" | "charge_already_paid" | null
}

export interface PlansTable {
  id: string
  seller_id: string
  slug: string
  title: string
  description: string
  amount_cents: Cents
  period: "weekly" | "monthly" | "quarterly" | "half_yearly" | "yearly"
  cycles: number | null
  lead_days: number
  days_after_due: number
  terms: ColumnType<ColumnTypes["plans.terms"], string, string>
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export interface PlatformChangesTable {
  id: Generated<number>
  subject: string
  day: string
  status: string
  count: number
  gross_cents: Generated<Cents>
  fee_cents: Generated<Cents>
  net_cents: Generated<Cents>
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface PlatformStatusTotalsTable {
  subject: string
  status: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Cents
  refunded_fee_cents: Generated<Cents>
}

export interface PlatformTotalsTable {
  subject: string
  day: string
  status: string
  count: number
  gross_cents: Generated<Cents>
  fee_cents: Generated<Cents>
  net_cents: Generated<Cents>
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface PspConnectionsTable {
  provider: string
  webhook_secret: string
  receipts_seen_until: Date
  payouts_seen_until: Generated<Date>
  connected_at: Generated<Date>
  last_contact_at: Date | null
  last_webhook_at: Date | null
  last_failure_at: Date | null
  last_failure_call: string | null
  last_failure: string | null
  webhook_registered_at: Date | null
  is_connected: Generated<boolean>
  stamps_missing_hours: Generated<number>
}

export interface PspInboxTable {
  id: Generated<number>
  provider: string
  body: Buffer
  lengths: number[]
  received_at: Generated<Date>
  next_attempt_at: Generated<Date>
  processed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
}

export interface PushKeysTable {
  public_key: string
  key_id: string
  sealed_key: Buffer
  created_at: Date
  is_only: Generated<boolean>
}

export interface PushSubscriptionsTable {
  id: string
  user_id: string
  session_id: string
  endpoint: string
  allows_local: boolean
  p256dh: string
  auth: string
  device: string
  hide_amounts: boolean
  created_at: Date
}

export interface PushesTable {
  id: Generated<number>
  subscription_id: string
  content: ColumnType<unknown, string, string>
  tag: string
  created_at: Date
  send_after: Date
  attempts: Generated<number>
}

export interface ReceiptVerificationsTable {
  charge_id: string
  count: number
  last_at: Date
}

export interface RecordedStatesTable {
  id: Generated<number>
  subject: string
  digest: string | null
  recorded_at: Generated<Date>
  made_by: Generated<string>
  xid: Generated<string>
}

export interface RecoveryCodesTable {
  code_hash: Buffer
  user_id: string
  created_at: Date
  used_at: Date | null
}

export interface RefundRequestsTable {
  id: string
  charge_id: string
  seller_id: string
  asked_by: string
  reason: string
  asked_at: Date
  decided_by: string | null
  decided_at: Date | null
  refund_id: string | null
}

export interface RefundsTable {
  id: string
  end_to_end_id: string
  psp_refund_id: string
  provider: string
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  fee_cents: Cents
  origin: "seller" | "admin" | "bank"
  status: "processing" | "completed" | "refused"
  reason: Generated<string>
  failure_reason: string | null
  return_id: string | null
  requested_by: string | null
  is_dispute: Generated<boolean>
  dispute_id: string | null
  next_attempt_at: Date | null
  attempts: Generated<number>
  created_at: Date
  processed_at: Date | null
  settled_at: Date | null
  sending_at: Date | null
  mac: string | null
  xid: Generated<string>
}

export interface ReminderSettingsTable {
  seller_id: string
  enabled: Generated<boolean>
  enabled_at: Date | null
  steps: ColumnType<ColumnTypes["reminder_settings.steps"], string | undefined, string>
  updated_at: Date
}

export interface RemindersTable {
  id: string
  seller_id: string
  customer_id: string
  invoice_id: string
  step: "created" | "before_3" | "due" | "after_1" | "after_7" | "before_last_day" | null
  channel: "email" | "whatsapp"
  day: string
  amount_cents: Cents
  mail_key: string | null
  status: "queued" | "sent" | "bounced" | "withheld"
  created_at: Date
  sent_at: Date | null
}

export interface RemittanceEntriesTable {
  sequence: number
  line: number
  withdrawal_id: string
  state: "sent" | "paid" | "refused" | "returned" | "dropped"
  reason: string
}

export interface RemittancesTable {
  sequence: number
  id: string
  file: string
  file_digest: string
  made_by: string
  made_at: Date
  mac: string | null
}

export interface ReserveHoldsTable {
  seller_id: string
  due_on: string
  held_cents: Cents
  drawn_cents: Generated<Cents>
  released_at: Date | null
}

export interface ReserveProgressTable {
  below: Generated<string>
  is_only: Generated<boolean>
}

export interface RestoreChecksTable {
  id: string
  finished_at: Date
  checked_by: string
  file: string
  taken_at: Date | null
  row_count: number | null
  difference_count: number | null
  seconds: number
  error: string | null
}

export interface RetentionMarksTable {
  subject: "charge" | "audit_record"
  reached_at: Generated<Date>
  reached_id: Generated<string>
}

export interface ReturnOriginsTable {
  seller_id: string
  origins: string[]
  key_id: string
  sealed_key: Buffer
  updated_at: Date
}

export interface SandboxClockTable {
  is_only: Generated<boolean>
  ahead_ms: number
}

export interface SchemaMigrationsTable {
  version: number
  name: string
  checksum: string
  applied_at: Generated<Date>
}

export interface SecondApprovalsTable {
  id: string
  act: ColumnTypes["second_approvals.act"]
  subject_id: string
  subject_name: string
  changes: ColumnType<ColumnTypes["second_approvals.changes"], string, never>
  digest: Buffer
  asked_by: string
  asked_at: Date
  expires_at: Date
  mac: string | null
}

export interface SecretsKeyTable {
  key_id: string
  chosen_at: Date
}

export interface SellerMonthTotalsTable {
  seller_id: string
  month: string
  count: number
  gross_cents: Cents
}

export interface ServerLoginsTable {
  role_name: string
  password: string
  created_at: Generated<Date>
}

export interface ServerNodesTable {
  id: string
  host: string
  version: string
  started_at: Date
  seen_at: Date
  clock_skew_seconds: number | null
}

export interface SessionsTable {
  id: string
  token_hash: Buffer
  user_id: string
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  expires_at: Date
  address: Generated<string>
  user_agent: Generated<string>
  stepped_up_at: Date | null
  last_address: Generated<string>
  viewer_id: string | null
  mac: string
}

export interface SettingsTable {
  key: string
  value: ColumnType<ColumnTypes["settings.value"], string, string>
  type: "number" | "string" | "boolean"
  category: "general" | "fees" | "api" | "notifications"
  description: Generated<string>
  is_public: Generated<boolean>
  updated_at: Generated<Date>
  updated_by: string | null
}

export interface ShopInvitationsTable {
  id: string
  token_hash: Buffer
  shop_id: string
  email: string
  email_key: string
  role: "owner" | "manager" | "accountant" | "cashier"
  invited_by: string
  created_at: Date
  expires_at: Date
}

export interface ShopMembersTable {
  shop_id: string
  user_id: string
  role: "owner" | "manager" | "accountant" | "cashier"
  joined_at: Date
}

export interface ShopNamesTable {
  id: string
  seller_id: string
  name: string
  document: string
  since: Date
  mac: string
  search_text: ColumnType<string | null, never, never>
}

export interface ShopScreensTable {
  id: string
  shop_id: string
  created_by: string
  code_hash: Buffer | null
  code_expires_at: Date
  token_hash: Buffer | null
  charge_id: string | null
  created_at: Date
  paired_at: Date | null
}

export interface ShopsTable {
  seller_id: string
  color: "mint" | "sky" | "amber" | "coral" | "violet" | "slate"
  whatsapp: Generated<string>
  email: Generated<string>
  closed_text: Generated<string>
  logo: Buffer | null
  logo_digest: string | null
  updated_at: Date
}

export interface SigningKeysTable {
  id: string
  purpose: "checkpoint" | "receipt"
  public_key: Buffer
  key_id: string
  sealed_key: Buffer
  created_at: Date
  retired_at: Date | null
}

export interface SignupAttemptsTable {
  id: Generated<number>
  address: string
  attempted_at: Date
  met_account: Generated<boolean>
}

export interface StatementLinesTable {
  seller_id: string
  at: Date
  number: number
  amount_cents: Cents
  fee_cents: Cents
  balance_cents: Cents
  charge_id: string | null
  kind: string
  reference: string
}

export interface SubscriptionCyclesTable {
  subscription_id: string
  cycle_no: number
  due_day: string
  invoice_id: string
}

export interface SubscriptionsTable {
  id: string
  seller_id: string
  customer_id: string
  plan_id: string | null
  unique_link: string
  method: "invoice" | "automatic"
  title: string
  period: "weekly" | "monthly" | "quarterly" | "half_yearly" | "yearly"
  first_due_day: string
  amount_cents: Cents
  days_after_due: number
  terms: ColumnType<ColumnTypes["subscriptions.terms"], string, string>
  ends_on: string | null
  cycles: number | null
  lead_days: number
  issued: number
  position: number
  next_due_day: string | null
  next_issue_day: string | null
  created_at: Date
  paused_at: Date | null
  ended_at: Date | null
  status: "active" | "paused" | "past_due" | "completed" | "cancelled"
  updated_at: Date
}

export interface TotpFactorsTable {
  user_id: string
  id: string
  key_id: string
  sealed_secret: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: number | null
}

export interface UnfinishedChargesTable {
  charge_id: string
  created_at: Date
}

export interface UnmatchedPaymentsTable {
  id: string
  end_to_end_id: string
  txid: string | null
  amount_cents: ColumnTypes["unmatched_payments.amount_cents"]
  paid_at: ColumnTypes["unmatched_payments.paid_at"]
  named_charge_id: string | null
  reason: "unknown_txid" | "wrong_amount" | "charge_already_paid" | "late" | "duplicate"
  status: Generated<"open" | "accepted" | "returning" | "returned">
  accepted_charge_id: string | null
  suggested_charge_id: string | null
  refund_id: string | null
  decided_by: string | null
  decided_at: Date | null
  admin_notes: Generated<string>
  received_at: Date
}

export interface UnreadableEntriesTable {
  provider: string
  kind: "receipt" | "refund" | "payout"
  reference: string
  amount_text: string
  happened_at: Date
  first_seen_at: Date
  id: string
  closed_at: Date | null
  closed_by: string | null
  close_reason: string | null
}

export interface UntoldSalesTable {
  seller_id: string
  after_sequence: number
  since: Date
}

export interface UserRenamingsTable {
  count: number
}

export interface UserTotalsTable {
  role: ColumnTypes["user_totals.role"]
  active: boolean
  count: number
}

export interface UsersTable {
  id: string
  name: string
  email: string
  email_key: string
  password_hash: string | null
  cpf: Generated<string>
  phone: Generated<string>
  address: ColumnType<ColumnTypes["users.address"], string | undefined, string>
  bank_account: ColumnType<ColumnTypes["users.bank_account"], string | undefined, string>
  role: "user" | "admin"
  active: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  search_text: ColumnType<ColumnTypes["users.search_text"], never, never>
  payment_mails: Generated<ColumnTypes["users.payment_mails"]>
  mail_token: Generated<string>
  recovered_at: Date | null
  email_state: Generated<"unasked" | "unconfirmed" | "confirmed">
  any_name: Generated<boolean>
  fee_basis_points: number | null
  password_is_initial: Generated<boolean>
  password_is_void: Generated<boolean>
  admin_rights_from: Date | null
  erased_at: Date | null
  note: Generated<string>
  has_shop: Generated<boolean>
}

export interface WebhookAttemptsTable {
  id: string
  delivery_id: string
  attempted_at: Date
  duration_ms: number
  url: string
  signature: string
  status: number | null
  problem: ColumnTypes["webhook_attempts.problem"] | null
  location: string | null
  answer: string | null
}

export interface WebhookDeliveriesTable {
  id: string
  endpoint_id: string
  sequence: number
  occurred_at: Date
  attempts: Generated<number>
  attempted_at: Date | null
  next_attempt_at: Date | null
  delivered_at: Date | null
  last_status: number | null
  last_problem: ColumnTypes["webhook_deliveries.last_problem"] | null
}

export interface WebhookEndpointsTable {
  id: string
  seller_id: string
  url: string
  allows_local: Generated<boolean>
  types: ColumnTypes["webhook_endpoints.types"]
  key_id: string | null
  sealed_secret: Buffer | null
  former_key_id: string | null
  former_sealed_secret: Buffer | null
  former_secret_until: Date | null
  created_at: Date
  confirmed_at: Date | null
  deleted_at: Date | null
  told_sequence: number
  is_slow: Generated<boolean>
  failing_since: Date | null
  failures_in_row: Generated<number>
  last_problem: ColumnTypes["webhook_endpoints.last_problem"] | null
  rest_until: Date | null
  last_delivered_at: Date | null
  release_before: Date | null
  told_failing_since: Date | null
}

export interface WithdrawalRulesTable {
  seller_id: string
  every: "day" | "week" | "month"
  above_cents: Cents
  destination_id: string
  next_at: Date
  paused_because: "by_owner" | "frozen" | "failed" | null
  failure: Generated<string>
  last_withdrawal_id: string | null
  mac: string | null
}

export interface WithdrawalTotalsTable {
  seller_id: string
  status: ColumnTypes["withdrawal_totals.status"]
  count: number
  amount_cents: Cents
}

export interface WithdrawalsTable {
  id: string
  seller_id: string
  amount_cents: Cents
  method: "pix" | "bank_transfer"
  pix_key: string | null
  pix_key_kind: "cpf" | "cnpj" | "email" | "phone" | "evp" | null
  bank_data: ColumnType<ColumnTypes["withdrawals.bank_data"] | null, string | null, never>
  payout_id: string | null
  status: Generated<"pending" | "approved" | "processing" | "completed" | "rejected" | "cancelled">
  provider: string | null
  end_to_end_id: string | null
  admin_notes: Generated<string>
  failure_reason: string | null
  decided_by: string | null
  next_attempt_at: Date | null
  attempts: Generated<number>
  created_at: Date
  approved_at: Date | null
  sent_at: Date | null
  processed_at: Date | null
  settled_at: Date | null
  search_text: ColumnType<ColumnTypes["withdrawals.search_text"], never, never>
  returned_cents: Generated<Cents>
  returned_at: Date | null
  return_reason: string | null
  sending_at: Date | null
  paid_after_refusal_at: Date | null
  api_key_id: string | null
  held_until: Date | null
  hold_reasons: ColumnType<unknown, string | undefined, string>
  first_approved_by: string | null
  request_mac: string | null
  approval_mac: string | null
  xid: Generated<string>
}

export interface WriteProbesTable {
  is_only: Generated<boolean>
  probed_at: Generated<Date>
}

export interface Schema {
  account_days: AccountDaysTable
  active_charge_pages: ActiveChargePagesTable
  api_keys: ApiKeysTable
  audit_records: AuditRecordsTable
  automatic_sellers: AutomaticSellersTable
  backups: BackupsTable
  bank_balances: BankBalancesTable
  bank_debits: BankDebitsTable
  bank_statements: BankStatementsTable
  chain_blocks: ChainBlocksTable
  chain_checkpoints: ChainCheckpointsTable
  chain_head: ChainHeadTable
  charge_changes: ChargeChangesTable
  charge_page_slugs: ChargePageSlugsTable
  charge_page_totals: ChargePageTotalsTable
  charge_pages: ChargePagesTable
  charge_search_texts: ChargeSearchTextsTable
  charge_totals: ChargeTotalsTable
  charge_wordings: ChargeWordingsTable
  charges: ChargesTable
  counter_favourites: CounterFavouritesTable
  counter_sales: CounterSalesTable
  counter_shifts: CounterShiftsTable
  customers: CustomersTable
  daily_close_differences: DailyCloseDifferencesTable
  daily_close_entries: DailyCloseEntriesTable
  daily_close_totals: DailyCloseTotalsTable
  daily_closes: DailyClosesTable
  debits: DebitsTable
  destinations: DestinationsTable
  disputes: DisputesTable
  due_payments: DuePaymentsTable
  email_changes: EmailChangesTable
  email_confirmations: EmailConfirmationsTable
  entered_statements: EnteredStatementsTable
  event_drafts: EventDraftsTable
  event_sequences: EventSequencesTable
  events: EventsTable
  failed_logins: FailedLoginsTable
  folded_payments: FoldedPaymentsTable
  freezes: FreezesTable
  hand_payouts: HandPayoutsTable
  hand_settlements: HandSettlementsTable
  idempotency_keys: IdempotencyKeysTable
  invoice_days: InvoiceDaysTable
  invoice_payments: InvoicePaymentsTable
  invoice_revisions: InvoiceRevisionsTable
  invoice_totals: InvoiceTotalsTable
  invoices: InvoicesTable
  job_runs: JobRunsTable
  journal: JournalTable
  kept_charge_day_totals: KeptChargeDayTotalsTable
  kept_charge_totals: KeptChargeTotalsTable
  kept_paid_day_totals: KeptPaidDayTotalsTable
  known_devices: KnownDevicesTable
  ledger_accounts: LedgerAccountsTable
  ledger_checks: LedgerChecksTable
  ledger_postings: LedgerPostingsTable
  legal_acceptances: LegalAcceptancesTable
  legal_texts: LegalTextsTable
  mails: MailsTable
  mandates: MandatesTable
  manual_entries: ManualEntriesTable
  money_kind: MoneyKindTable
  not_me_links: NotMeLinksTable
  notices: NoticesTable
  numbered_events: NumberedEventsTable
  open_charges: OpenChargesTable
  orders: OrdersTable
  outbox_mails: OutboxMailsTable
  page_opening_totals: PageOpeningTotalsTable
  page_reports: PageReportsTable
  passkey_challenges: PasskeyChallengesTable
  passkey_owners: PasskeyOwnersTable
  passkeys: PasskeysTable
  password_reset_requests: PasswordResetRequestsTable
  password_resets: PasswordResetsTable
  payer_data_waiting: PayerDataWaitingTable
  payer_token_key: PayerTokenKeyTable
  payments: PaymentsTable
  plans: PlansTable
  platform_changes: PlatformChangesTable
  platform_status_totals: PlatformStatusTotalsTable
  platform_totals: PlatformTotalsTable
  psp_connections: PspConnectionsTable
  psp_inbox: PspInboxTable
  push_keys: PushKeysTable
  push_subscriptions: PushSubscriptionsTable
  pushes: PushesTable
  receipt_verifications: ReceiptVerificationsTable
  recorded_states: RecordedStatesTable
  recovery_codes: RecoveryCodesTable
  refund_requests: RefundRequestsTable
  refunds: RefundsTable
  reminder_settings: ReminderSettingsTable
  reminders: RemindersTable
  remittance_entries: RemittanceEntriesTable
  remittances: RemittancesTable
  reserve_holds: ReserveHoldsTable
  reserve_progress: ReserveProgressTable
  restore_checks: RestoreChecksTable
  retention_marks: RetentionMarksTable
  return_origins: ReturnOriginsTable
  sandbox_clock: SandboxClockTable
  schema_migrations: SchemaMigrationsTable
  second_approvals: SecondApprovalsTable
  secrets_key: SecretsKeyTable
  seller_month_totals: SellerMonthTotalsTable
  server_logins: ServerLoginsTable
  server_nodes: ServerNodesTable
  sessions: SessionsTable
  settings: SettingsTable
  shop_invitations: ShopInvitationsTable
  shop_members: ShopMembersTable
  shop_names: ShopNamesTable
  shop_screens: ShopScreensTable
  shops: ShopsTable
  signing_keys: SigningKeysTable
  signup_attempts: SignupAttemptsTable
  statement_lines: StatementLinesTable
  subscription_cycles: SubscriptionCyclesTable
  subscriptions: SubscriptionsTable
  totp_factors: TotpFactorsTable
  unfinished_charges: UnfinishedChargesTable
  unmatched_payments: UnmatchedPaymentsTable
  unreadable_entries: UnreadableEntriesTable
  untold_sales: UntoldSalesTable
  user_renamings: UserRenamingsTable
  user_totals: UserTotalsTable
  users: UsersTable
  webhook_attempts: WebhookAttemptsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_endpoints: WebhookEndpointsTable
  withdrawal_rules: WithdrawalRulesTable
  withdrawal_totals: WithdrawalTotalsTable
  withdrawals: WithdrawalsTable
  write_probes: WriteProbesTable
}
