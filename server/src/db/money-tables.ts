import type { AccountType } from "@tilinta/contract/vocabulary/account-types"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { DefenceState, DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/hand-settlement"
import type { CorrectionDirection, ManualEntryKind } from "@tilinta/contract/vocabulary/manual-entries"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/refund-status"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type {
  UncreditedReason,
  UnmatchedPaymentReason,
  UnmatchedPaymentStatus,
} from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { DestinationProof } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { WithdrawalMethod, WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ColumnType, Generated } from "kysely"
import type { Moment } from "./column-types.ts"

export interface LedgerAccountsTable {
  id: string
  kind: string
  seller_id: string | null
  balance_cents: Cents
  floor_cents: Cents
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
  booked_at: Moment
  number: Generated<number>
  xid: Generated<string>
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

export interface ManualEntriesTable {
  id: string
  kind: ManualEntryKind
  direction: CorrectionDirection | null
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
  xid: Generated<string>
}

export interface AccountDaysTable {
  account: string
  day: string
  credits_cents: Cents
  debits_cents: Cents
  balance_cents: Cents
  first_xid: string | null
  last_xid: string | null
}

export interface EnteredStatementsTable {
  below: Generated<string>
  closed_until: Generated<Date>
  is_only: Generated<boolean>
}

export interface PaymentsTable {
  end_to_end_id: string
  provider: string
  txid: string | null
  charge_id: string | null
  seller_id: string | null
  amount_cents: Cents
  paid_at: Date
  received_at: Moment
  xid: Generated<string>
  fee_cents: Generated<Cents>
  page_id: string | null
  completed_page_id: string | null
  charge_day: string | null
  status_before: TransactionStatus | null
  disposition: "credited" | "suspense"
  reason: UncreditedReason | null
}

export interface ReceiptVerificationsTable {
  charge_id: string
  count: number
  last_at: Date
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
  settled_at: Date | null
  is_dispute: Generated<boolean>
  dispute_id: string | null
  sending_at: Date | null
  xid: Generated<string>
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
  reason: DisputeReason
  details: string
  state: DisputeState
  respond_until: Date | null
  opened_at: Date
  reported_at: Date | null
  closed_at: Date | null
  settled_at: Date | null
  analysis: string
  defence: string | null
  defence_state: Generated<DefenceState>
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

export interface UnmatchedPaymentsTable {
  id: string
  end_to_end_id: string
  reason: UnmatchedPaymentReason
  status: Generated<UnmatchedPaymentStatus>
  accepted_charge_id: string | null
  refund_id: string | null
  decided_by: string | null
  decided_at: Date | null
  admin_notes: Generated<string>
  received_at: Date
  /** Copies of the payment's own columns, filled in by the database. */
  txid: string | null
  amount_cents: Generated<Cents>
  paid_at: Generated<Date>
  named_charge_id: string | null
}

export interface PspInboxTable {
  id: Generated<number>
  provider: string
  /** Bodies of all messages that arrived together, concatenated, as gzip. */
  body: Buffer
  /** Length of each body. */
  lengths: number[]
  received_at: Moment
  next_attempt_at: Moment
  processed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
}

export interface PspConnectionsTable {
  provider: string
  webhook_secret: string
  receipts_seen_until: Date
  last_contact_at: Date | null
  last_webhook_at: Date | null
  connected_at: Moment
  payouts_seen_until: Moment
  last_failure_at: Generated<Date | null>
  last_failure_call: Generated<string | null>
  last_failure: Generated<string | null>
  webhook_registered_at: Generated<Date | null>
  is_connected: Generated<boolean>
}

export interface PlatformTotalsTable {
  subject:
    | "charge-created"
    | "charge-paid"
    | "charge-page"
    | "withdrawal"
    | `unmatched-payment:${UnmatchedPaymentReason}`
  day: string
  status: TransactionStatus | ChargePageStatus | WithdrawalStatus | UnmatchedPaymentStatus
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Cents
  refunded_fee_cents: Generated<Cents>
}

export interface BankData {
  bank: string
  agency: string
  account: string
  accountType: AccountType
}

export interface WithdrawalsTable {
  id: string
  seller_id: string
  amount_cents: Cents
  method: WithdrawalMethod
  pix_key: string | null
  pix_key_kind: PixKeyKind | null
  bank_data: ColumnType<BankData | null, string | null, never>
  /** The folded key, written by the database. */
  search_text: ColumnType<string | null, never, never>
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
  settled_at: Date | null
  sent_at: Date | null
  returned_cents: Generated<Cents>
  returned_at: Date | null
  return_reason: string | null
  sending_at: Date | null
  paid_after_refusal_at: Date | null
  api_key_id: string | null
  first_approved_by: string | null
  held_until: Date | null
  /** A list of `HoldReason`. */
  hold_reasons: ColumnType<unknown, string | undefined, string>
  xid: Generated<string>
}

export interface DestinationsTable {
  id: string
  seller_id: string
  target: string
  method: WithdrawalMethod
  pix_key: string | null
  pix_key_kind: PixKeyKind | null
  bank_data: ColumnType<BankData | null, string | null, never>
  first_used_at: Date
  last_used_at: Date
  confirmed_by: DestinationProof | null
  removed_at: Date | null
}

export interface WithdrawalTotalsTable {
  seller_id: string
  status: WithdrawalStatus
  count: number
  amount_cents: Cents
}

export interface HandSettlementsTable {
  /** The id of the withdrawal or of the refund. */
  subject_id: string
  subject: HandSettlementSubject
  outcome: HandSettlementOutcome
  end_to_end_id: string | null
  reason: string
  proposed_by: string
  proposed_at: Date
  confirmed_by: string | null
  settled_at: Date | null
}
