import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type Psp, provenTime } from "#psp/psp"
import { boundsOf } from "./daily-close.ts"
import { lockClose, updateClose } from "./daily-closes-repository.ts"

/** Schedules a new comparison for the job's next run. Repeated requests, or one during a comparison, cause only one. */
export async function redoDailyClose(
  { db, psp, clock }: { db: Db; psp: Psp; clock: Clock },
  wish: { id: string; admin: Actor },
): Promise<void> {
  const now = provenTime({ psp, clock })
  await db.transaction().execute((tx) => redo(tx, wish, now))
}

async function redo(tx: Tx, { id, admin }: { id: string; admin: Actor }, now: Date): Promise<void> {
  const close = isId(id) ? await lockClose(tx, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const { day, provider, differenceCount } = close
  if (boundsOf(day).to > now) throw new DomainError("daily_close_too_early")
  const isRunning = close.runId !== null && close.nextAttemptAt !== null && close.nextAttemptAt > now
  if (!isRunning) await updateClose(tx, id, { next_attempt_at: now, attempts: 1, last_error: null, run_id: null })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "daily_close.redone",
    entity: "daily_close",
    entityId: id,
    before: { day, provider, differences: differenceCount },
    after: null,
  })
}
