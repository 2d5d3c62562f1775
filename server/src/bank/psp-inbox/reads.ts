import { sql } from "kysely"
import type { Db } from "#db/transaction"

export interface WaitingMessage {
  id: number
  receivedAt: Date
  attempts: number
  lastError: string | null
  nextAttemptAt: Date
}

export const waitingColumns = [
  "id",
  "received_at as receivedAt",
  "attempts",
  "last_error as lastError",
  "next_attempt_at as nextAttemptAt",
] as const

export interface InboxState {
  waiting: number
  oldestAt: Date | null
  /** Messages that failed repeatedly, oldest first. */
  failing: WaitingMessage[]
}

const shownMessages = 20

export async function readInbox(db: Db, provider: string, failedTimes: number): Promise<InboxState> {
  const { rows } = await sql<{ waiting: number; oldestAt: Date | null }>`
    select coalesce(sum(cardinality(lengths)), 0) as waiting, min(received_at) as "oldestAt" from psp_inbox
    where processed_at is null and provider = ${provider}`.execute(db)
  const failing = await db
    .selectFrom("psp_inbox")
    .select(waitingColumns)
    .where("processed_at", "is", null)
    .where("provider", "=", provider)
    .where("attempts", ">=", failedTimes)
    .orderBy("received_at")
    .limit(shownMessages)
    .execute()
  return { waiting: rows[0]?.waiting ?? 0, oldestAt: rows[0]?.oldestAt ?? null, failing }
}

export async function findConnection(db: Db, provider: string) {
  return db.selectFrom("psp_connections").selectAll().where("provider", "=", provider).executeTakeFirst()
}
