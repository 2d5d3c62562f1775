import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PageReportReason, PageReportStatus } from "@tilinta/contract/vocabulary/page-reports"
import type { ChargeStatus, TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { ColumnType, Generated } from "kysely"
import type { Moment } from "./column-types.ts"

export interface ChargePagesTable {
  id: string
  seller_id: string
  title: string
  /** The folded title, written by the database. */
  search_text: ColumnType<string, never, never>
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
  counted_at_once: Generated<boolean>
  is_single: Generated<boolean>
  folded_below: Generated<string>
  deleted_at: Date | null
  suspended_at: Date | null
  suspended_for: PageReportReason | null
  description_text: ColumnType<string, never, never>
  ended_as: ColumnType<ChargePageStatus | null, never, never>
  created_at: Date
  updated_at: Date
}

export interface PageReportsTable {
  id: string
  page_id: string
  status: PageReportStatus
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

export interface ChargePageSlugsTable {
  slug: string
  page_id: string
  created_at: Moment
}

export interface OrdersTable {
  page_id: string
  seller_id: string
  external_reference: string | null
  metadata: ColumnType<Record<string, string>, string, string>
  return_url: string | null
  is_released: Generated<boolean>
  /** The folded reference, written by the database. */
  reference_text: ColumnType<string | null, never, never>
}

export interface PayerDataWaitingTable {
  charge_id: string
  look_at: Date
  asked_at: Date | null
}

export interface PayerTokenKeyTable {
  key: Buffer
}

export interface ReturnOriginsTable {
  seller_id: string
  origins: string[]
  key_id: string
  sealed_key: Buffer
  updated_at: Date
}

export type ChargeRemoval = "none" | "due" | "done" | "given_up"

export interface ChargesTable {
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
  payer_erased_at: Date | null
  idempotency_key: string | null
  request_hash: Buffer | null
  end_to_end_id: string | null
  paid_at: Date | null
  is_late: Generated<boolean>
  is_duplicate: Generated<boolean>
  closed_as: ColumnType<string | null, never, never>
  removal: Generated<ChargeRemoval>
  removal_not_before: Moment
  created_at: Date
  updated_at: Date
}

export interface ActiveChargePagesTable {
  page_id: string
  seller_id: string
  created_at: Date
  expires_at: Date | null
}

export interface UnfinishedChargesTable {
  charge_id: string
  created_at: Date
}

export interface OpenChargesTable {
  charge_id: string
  seller_id: string
  page_id: string
  created_at: Date
  expires_at: Date
}

export interface ChargeTotalsTable {
  seller_id: string
  status: TransactionStatus
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface PaidDayTotalsTable {
  seller_id: string
  day: string
  count: number
  gross_cents: Cents
  fee_cents: Cents
  net_cents: Cents
  refunded_cents: Generated<Cents>
  refunded_fee_cents: Generated<Cents>
}

export interface ChargeSearchTextsTable {
  charge_id: string
  source: "charge" | "payment"
  folded: string
}

export interface PageOpeningTotalsTable {
  seller_id: string
  day: string
  count: number
}

export interface ChargePageTotalsTable {
  seller_id: string
  status: ChargePageStatus
  count: number
}
