import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import type { ColumnType, Generated } from "kysely"

/** Columns of the subject's row as they were. */
interface PastColumns {
  [column: string]: unknown
}

export interface EventDraftsTable {
  id: Generated<number>
  xid: Generated<string>
  occurred_at: Date
  seller_id: string
  subject_id: string
  type: EventType
  state: ColumnType<PastColumns | null, string | null, never>
}

export interface EventsTable {
  sequence: number
  occurred_at: Date
  seller_id: string
  subject_id: string
  type: EventType
  state: ColumnType<PastColumns | null, string | null, never>
}

export interface EventSequencesTable {
  seller_id: string
  last_sequence: number
}

export interface NumberedEventsTable {
  until: string
  is_only: boolean
}

export interface UntoldSalesTable {
  seller_id: string
  after_sequence: number
  since: Date
}
