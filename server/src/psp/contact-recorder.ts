import type { Clock } from "#kit/clock"
import type { RecentContacts } from "./psp.ts"

export interface ContactRecorder {
  succeeded(call: string): void
  failed(call: string, error: unknown, isAnswer: boolean): void
  webhookReceived(): void
  /** Null when nothing happened. Clears the notes. */
  take(): RecentContacts | null
}

const longestMessage = 300
const nothing: RecentContacts = {
  lastContactAt: null,
  lastFailure: null,
  lastWebhookAt: null,
  webhookRegisteredAt: null,
}

/** Kept in memory, so that no call to the provider costs a write. */
export function createContactRecorder(clock: Clock): ContactRecorder {
  let news = { ...nothing }
  let isEmpty = true

  function note(changes: Partial<RecentContacts>): void {
    news = { ...news, ...changes }
    isEmpty = false
  }

  return {
    succeeded(call) {
      const now = clock.now()
      note({ lastContactAt: now, ...(call === "registerWebhook" && { webhookRegisteredAt: now }) })
    },
    failed(call, error, isAnswer) {
      const at = clock.now()
      const message = (error instanceof Error ? error.message : String(error)).slice(0, longestMessage)
      note({ lastFailure: { at, call, message }, ...(isAnswer && { lastContactAt: at }) })
    },
    webhookReceived: () => note({ lastWebhookAt: clock.now() }),
    take() {
      if (isEmpty) return null
      const taken = news
      news = { ...nothing }
      isEmpty = true
      return taken
    },
  }
}
