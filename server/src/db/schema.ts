import type { AccountType } from "@tilinta/contract/vocabulary/account-types"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/refund-status"
import type { ReviewReason, ReviewStatus, SuspenseReason } from "@tilinta/contract/vocabulary/review-status"
import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/settings"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { WithdrawalMethod, WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ColumnType, Generated, JSONColumnType } from "kysely"

/** Written and read as `Date`; the database fills it when it is left out. */
type Moment = ColumnType<Date, Date | undefined, Date>
type Json = JSONColumnType<Record<string, string>>

interface UsersTable {
  id: string
  name: string
  email: string
  email_key: string
  password_hash: string | null
  cpf: string
  phone: string
  /** Name, e-mail and CPF, folded. The database writes it. */
  search_text: ColumnType<string, never, never>
  address: Json
  bank_account: ColumnType<Record<string, string>, string | undefined, string>
  role: Role
  active: Generated<boolean>
  created_at: Moment
  updated_at: Moment
}

interface UserTotalsTable {
  role: Role
  active: boolean
  count: number
}

interface SessionsTable {
  id: string
  token_hash: Buffer
  user_id: string
  created_at: Moment
  last_used_at: Moment
  expires_at: Date
  address: Generated<string>
  user_agent: Generated<string>
}

interface FailedLoginsTable {
  id: Generated<number>
  account_key: string
  address: string
  failed_at: Moment
}

interface SignupAttemptsTable {
  id: Generated<number>
  address: string
  attempted_at: Date
}

interface SettingsTable {
  key: string
  value: ColumnType<number | string | boolean, string, string>
  type: SettingType
  category: SettingCategory
  description: string
  is_public: boolean
  updated_at: Moment
  updated_by: string | null
}

interface LedgerAccountsTable {
  id: string
  kind: string
  seller_id: string | null
  balance_cents: Cents
  floor_cents: Cents | null
}

interface LedgerTransactionsTable {
  id: string
  kind: string
  reference: string
  seller_id: string | null
  occurred_at: Date
  booked_at: Moment
}

interface LedgerPostingsTable {
  id: Generated<number>
  transaction_id: string
  seller_id: string | null
  debit_account: string
  credit_account: string
  amount_cents: Cents
}

interface ChargePagesTable {
  id: string
  seller_id: string
  title: string
  description: string
  amount_cents: Cents
  unique_link: string
  slug: string
  status: ChargePageStatus
  allow_anonymous: boolean
  require_name: boolean
  require_email: boolean
  require_phone: boolean
  require_cpf: boolean
  expires_in_hours: number
  expires_at: Date | null
  max_payments: number | null
  payments_count: Generated<number>
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

interface ChargePageSlugsTable {
  slug: string
  page_id: string
  created_at: Moment
}

export type ChargeStatus = TransactionStatus | "creating"
export type ChargeRemoval = "none" | "due" | "done"

interface ChargesTable {
  id: string
  seller_id: string
  page_id: string | null
  txid: string | null
  provider: string
  status: ChargeStatus
  amount_cents: Cents
  fee_basis_points: number
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
  page_title: string
  description: string
  pix_code: string | null
  opened_at: Date | null
  expires_at: Date
  payer_name: string | null
  payer_email: string | null
  payer_cpf: string | null
  payer_phone: string | null
  idempotency_key: string | null
  request_hash: Buffer | null
  end_to_end_id: string | null
  paid_at: Date | null
  is_late: Generated<boolean>
  is_duplicate: Generated<boolean>
  removal: Generated<ChargeRemoval>
  removal_not_before: Moment
  created_at: Date
  updated_at: Date
}

interface PaymentsTable {
  end_to_end_id: string
  provider: string
  txid: string | null
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  paid_at: Date
  received_at: Moment
  disposition: "credited" | "suspense"
  reason: SuspenseReason | null
}

interface RefundsTable {
  id: string
  end_to_end_id: string
  psp_refund_id: string
  provider: string
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  fee_cents: Cents
  origin: RefundOrigin
  status: RefundStatus
  reason: string
  failure_reason: string | null
  return_id: string | null
  requested_by: string | null
  next_attempt_at: Date | null
  attempts: Generated<number>
  created_at: Date
  processed_at: Date | null
}

interface PaymentReviewsTable {
  id: string
  end_to_end_id: string
  reason: ReviewReason
  status: Generated<ReviewStatus>
  accepted_charge_id: string | null
  refund_id: string | null
  decided_by: string | null
  decided_at: Date | null
  admin_notes: Generated<string>
  received_at: Date
}

interface PspInboxTable {
  id: Generated<number>
  provider: string
  body: Buffer
  received_at: Moment
  next_attempt_at: Moment
  processed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
}

interface PspConnectionsTable {
  provider: string
  webhook_secret: string
  receipts_seen_until: Date
  last_contact_at: Date | null
  last_webhook_at: Date | null
}

interface AuditRecordsTable {
  id: string
  happened_at: Date
  actor_id: string | null
  actor_address: string | null
  action: string
  entity: string
  entity_id: string
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
}

interface IdempotencyKeysTable {
  owner_id: string
  key: string
  request_hash: Buffer
  resource_id: string
  created_at: Moment
}

interface ChargeTotalsTable {
  seller_id: string
  status: TransactionStatus
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
}

interface PaidDayTotalsTable {
  seller_id: string
  day: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
}

interface PlatformTotalsTable {
  subject: "charge-created" | "charge-paid" | "charge-page"
  day: string
  status: TransactionStatus | ChargePageStatus
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Cents
}

interface ChargeSearchTextsTable {
  charge_id: string
  source: "charge" | "payment"
  folded: string
}

interface PageOpeningTotalsTable {
  seller_id: string
  day: string
  count: number
}

interface ChargePageTotalsTable {
  seller_id: string
  status: ChargePageStatus
  count: number
}

export interface BankData {
  bank: string
  agency: string
  account: string
  accountType: AccountType
}

interface WithdrawalsTable {
  id: string
  seller_id: string
  amount_cents: Cents
  method: WithdrawalMethod
  pix_key: string | null
  pix_key_kind: PixKeyKind | null
  bank_data: ColumnType<BankData | null, string | null, never>
  payout_id: string | null
  status: WithdrawalStatus
  provider: string | null
  end_to_end_id: string | null
  admin_notes: Generated<string>
  failure_reason: string | null
  decided_by: string | null
  next_attempt_at: Date | null
  attempts: Generated<number>
  created_at: Date
  approved_at: Date | null
  processed_at: Date | null
}

interface WithdrawalTotalsTable {
  seller_id: string
  status: WithdrawalStatus
  count: number
  amount_cents: Cents
}

interface WithdrawalDayTotalsTable {
  day: string
  status: WithdrawalStatus
  count: number
  amount_cents: Cents
}

interface MailsTable {
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

interface OutboxMailsTable {
  id: string
  to_address: string
  to_key: string
  subject: string
  text: string
  html: string
  sent_at: Date
}

interface PasswordResetRequestsTable {
  id: Generated<number>
  email_key: string
  requested_at: Date
}

interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

export interface Schema {
  users: UsersTable
  user_totals: UserTotalsTable
  sessions: SessionsTable
  failed_logins: FailedLoginsTable
  signup_attempts: SignupAttemptsTable
  settings: SettingsTable
  ledger_accounts: LedgerAccountsTable
  ledger_transactions: LedgerTransactionsTable
  ledger_postings: LedgerPostingsTable
  charge_pages: ChargePagesTable
  charge_page_slugs: ChargePageSlugsTable
  charges: ChargesTable
  payments: PaymentsTable
  refunds: RefundsTable
  payment_reviews: PaymentReviewsTable
  psp_inbox: PspInboxTable
  psp_connections: PspConnectionsTable
  audit_records: AuditRecordsTable
  idempotency_keys: IdempotencyKeysTable
  charge_totals: ChargeTotalsTable
  charge_day_totals: ChargeTotalsTable & { day: string }
  paid_day_totals: PaidDayTotalsTable
  charge_page_totals: ChargePageTotalsTable
  platform_totals: PlatformTotalsTable
  platform_changes: PlatformTotalsTable & { id: Generated<number> }
  charge_search_texts: ChargeSearchTextsTable
  page_opening_totals: PageOpeningTotalsTable
  withdrawals: WithdrawalsTable
  withdrawal_totals: WithdrawalTotalsTable
  withdrawal_day_totals: WithdrawalDayTotalsTable
  mails: MailsTable
  outbox_mails: OutboxMailsTable
  password_reset_requests: PasswordResetRequestsTable
  password_resets: PasswordResetsTable
}
