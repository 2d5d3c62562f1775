import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import type { DeliveryState, WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"

export interface Delivery {
  id: string
  webhookId: string
  sellerId: string
  sequence: number
  type: EventType
  occurredAt: Date
  attempts: number
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  lastStatus: number | null
  lastProblem: WebhookProblem | null
}

export function stateOf({ nextAttemptAt, deliveredAt, lastProblem }: Delivery): DeliveryState {
  if (nextAttemptAt === null) return deliveredAt === null ? "waiting" : "delivered"
  return lastProblem === null ? "queued" : "retrying"
}
