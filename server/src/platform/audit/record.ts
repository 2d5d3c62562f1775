import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { findMomentsOf } from "./reads.ts"
import type { AuditEntry } from "./rules.ts"
import { insertAuditRecords } from "./table.ts"

/** Call it in the transaction of the change, so that a rollback leaves no record. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await recordAudits(tx, [entry])
}

export async function recordAudits(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  await insertAuditRecords(
    tx,
    entries.map((entry) => ({ ...entry, id: newId() })),
  )
}

/**
 * Refuses what a person did too often lately, as the audit trail says. Call it under the person's lock, before the record
 * is written. @throws too_many_requests
 */
export async function limitAction(
  tx: Tx,
  { action, actorId, now }: { action: AuditAction; actorId: string; now: Date },
  { times, windowSeconds }: { times: number; windowSeconds: number },
): Promise<void> {
  const since = secondsAfter(now, -windowSeconds)
  const deciding = (await findMomentsOf(tx, { action, actorId, since })).at(-times)
  if (deciding === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((deciding.getTime() - since.getTime()) / 1000))
  throw new DomainError("too_many_requests", { retryAfterSeconds })
}
