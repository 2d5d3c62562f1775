import type { AdminTransactionDetails, TimelineEvent } from "@tilinta/contract/api/admin-transactions-endpoints"
import type { Moment } from "#ui/timeline.tsx"

const tones = {
  created: "done",
  code_shown: "done",
  paid: "good",
  booked: "good",
  notified: "done",
  disputed: "bad",
  dispute_closed: "done",
  refunded: "bad",
  expired: "bad",
  cancelled: "bad",
  failed: "bad",
} as const satisfies Record<TimelineEvent, Moment["tone"]>

export function momentsOf({ timeline }: Pick<AdminTransactionDetails, "timeline">): Moment[] {
  return timeline.map(({ event, label, at }) => ({ label, at, tone: tones[event] }))
}
