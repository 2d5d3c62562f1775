import type { CloseKind, DifferenceKind, DifferenceProblem } from "@tilinta/contract/vocabulary/daily-close"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Generated } from "kysely"

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

export interface BankBalancesTable {
  close_id: string
  at: Date
  bank_cents: Cents
  our_cents: Cents
  difference_cents: Cents
  typed_by: string | null
  read_again_until: Date | null
}

export interface DailyCloseTotalsTable {
  close_id: string
  kind: CloseKind
  our_count: number
  our_cents: Cents
  bank_count: number
  bank_cents: Cents
}

export interface DailyCloseDifferencesTable {
  close_id: string
  kind: DifferenceKind
  reference: string
  problem: DifferenceProblem
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
  kind: CloseKind
  reference: string
  amount_cents: Cents | null
  state: string
  happened_at: Date | null
}

export interface UnreadableEntriesTable {
  provider: string
  kind: CloseKind
  reference: string
  amount_text: string
  happened_at: Date
  first_seen_at: Date
  id: string
  closed_at: Date | null
  closed_by: string | null
  close_reason: string | null
}
