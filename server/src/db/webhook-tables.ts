import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import type { WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"
import type { Generated } from "kysely"

export interface WebhookEndpointsTable {
  id: string
  seller_id: string
  url: string
  types: EventType[]
  key_id: string | null
  sealed_secret: Buffer | null
  former_key_id: string | null
  former_sealed_secret: Buffer | null
  former_secret_until: Date | null
  created_at: Date
  deleted_at: Date | null
  told_sequence: number
  is_slow: Generated<boolean>
  failing_since: Date | null
  failures_in_row: Generated<number>
  last_problem: WebhookProblem | null
  rest_until: Date | null
  last_delivered_at: Date | null
  release_before: Date | null
  told_failing_since: Date | null
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
  last_problem: WebhookProblem | null
}

export interface WebhookAttemptsTable {
  id: string
  delivery_id: string
  attempted_at: Date
  duration_ms: number
  url: string
  signature: string
  status: number | null
  problem: WebhookProblem | null
  answer: string | null
}
