import type { MoneyKind } from "@tilinta/contract/vocabulary/money-kind"
import type { ColumnType, Generated } from "kysely"

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
