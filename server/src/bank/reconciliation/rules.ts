import type { UnreadableEntry } from "#psp/psp"

export interface SeenUnreadable extends UnreadableEntry {
  id: string
  happenedAt: Date
  firstSeenAt: Date
}
