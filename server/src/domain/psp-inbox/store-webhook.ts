import { isDatabaseDown } from "#db/database-down"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { type ArrivedMessage, insertInboxMessages } from "./psp-inbox-repository.ts"

/** Beyond this only the latency grows. */
const BATCH = 200

export type StoreWebhook = (webhook: { provider: string; body: Buffer }) => Promise<void>

/** Each is durable when its call returns; only then the provider may hear 200. */
export function webhookStore({ db, clock }: { db: Db; clock: Clock }): StoreWebhook {
  const store = createMicroBatch<ArrivedMessage, void>({
    most: BATCH,
    slots: 2,
    failsAll: isDatabaseDown,
    async run(messages) {
      await db.transaction().execute((tx) => insertInboxMessages(tx, messages))
      return messages.map(() => undefined)
    },
  })
  return ({ provider, body }) => store({ provider, body, receivedAt: clock.now() })
}
