import type { LegalKind } from "@tilinta/contract/vocabulary/legal-texts"
import type { MoneyKind } from "@tilinta/contract/vocabulary/money-kind"
import type { ColumnType, Generated } from "kysely"
import type { Moment } from "./column-types.ts"

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

export interface ServerNodesTable {
  id: string
  host: string
  version: string
  started_at: Date
  seen_at: Date
  clock_skew_seconds: number | null
}

export interface MoneyKindTable {
  kind: MoneyKind
  chosen_at: Generated<Date>
}

export interface ChainBlocksTable {
  number: number
  sealed_at: Date
  row_count: number
  previous: Buffer
  root: Buffer
  /** Inserted as the text that PostgreSQL wrote. */
  keys: ColumnType<string[], string, never>
  hashes: Buffer
  nodes: Buffer
  first_at: Date | null
  last_at: Date | null
}

export interface ChainHeadTable {
  until: Generated<string>
  block_count: Generated<number>
  note: string | null
  is_only: Generated<boolean>
}

export interface ChainCheckpointsTable {
  day: string
  note: string
  signed_at: Date
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

export interface LegalTextsTable {
  kind: LegalKind
  version: number
  body: string
  published_at: Date
  published_by: string | null
}

export interface LegalAcceptancesTable {
  user_id: string
  kind: LegalKind
  version: number
  accepted_at: Date
}

export interface RetentionMarksTable {
  subject: "charge" | "audit_record"
  reached_at: Moment
  reached_id: Generated<string>
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

export interface LedgerChecksTable {
  id: string
  started_at: Date
  finished_at: Date | null
  requested_by: string | null
  posting_count: number | null
  difference_count: number | null
  differences: ColumnType<{ what: string; expected: string; found: string }[] | null, string | null, string | null>
  error: string | null
}
