import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import type { WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"

export interface Webhook {
  id: string
  sellerId: string
  url: string
  /** Empty for every type. */
  types: EventType[]
  createdAt: Date
  failingSince: Date | null
  lastProblem: WebhookProblem | null
  lastDeliveredAt: Date | null
  formerSecretUntil: Date | null
}

export type OwnWebhook = Pick<Webhook, "id" | "sellerId">

/** One request and what came of it. */
export interface Outcome {
  /** By the machine's clock. */
  attemptedAt: Date
  durationMs: number
  url: string
  signature: string
  status: number | null
  /** Null on success. */
  problem: WebhookProblem | null
  answer: string | null
}
