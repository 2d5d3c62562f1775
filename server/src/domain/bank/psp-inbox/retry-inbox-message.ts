import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { type InboxState, lockWaitingMessage, readInbox, updateNextAttempt } from "./inbox-state-repository.ts"

/** One failure is retried within a minute, so it isn't shown. */
const failedTimes = 3

export function readInboxState(db: Db, provider: string): Promise<InboxState> {
  return readInbox(db, provider, failedTimes)
}

interface Retry {
  id: string
  admin: Actor
}

/** Retries at the worker's next run instead of after the back-off. Processing a message twice books nothing twice. */
export async function retryInboxMessage({ db, clock }: { db: Db; clock: Clock }, retry: Retry): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => bringForward(tx, retry, now))
}

async function bringForward(tx: Tx, { id, admin }: Retry, now: Date): Promise<void> {
  const message = isMessageId(id) ? await lockWaitingMessage(tx, Number(id)) : undefined
  if (message === undefined) throw new DomainError("inbox_message_not_found")
  if (message.nextAttemptAt <= now) return
  await updateNextAttempt(tx, message.id, now)
  const { attempts, lastError } = message
  const entry = { actor: admin, happenedAt: now, action: "inbox_message.retried", entity: "inbox_message" } as const
  await recordAudit(tx, { ...entry, entityId: id, before: null, after: { attempts, lastError } })
}

function isMessageId(id: string): boolean {
  return /^\d{1,15}$/.test(id)
}
