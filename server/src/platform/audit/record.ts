import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { readOn, workThrough } from "#platform/retention/retention"
import { findMomentsOf } from "./reads.ts"
import type { AuditEntry } from "./rules.ts"
import { eraseNextAddresses, insertAuditRecords } from "./table.ts"

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

interface Limit {
  times: number
  windowSeconds: number
}

/**
 * Refuses what a person did too often lately, as the audit trail says. Call it under the person's lock, before the record
 * is written. @throws too_many_requests
 */
export async function limitAction(
  tx: Tx,
  { action, actorId, now }: { action: AuditAction; actorId: string; now: Date },
  { times, windowSeconds }: Limit,
): Promise<void> {
  const since = secondsAfter(now, -windowSeconds)
  const deciding = (await findMomentsOf(tx, { action, actorId, since })).at(-times)
  if (deciding === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((deciding.getTime() - since.getTime()) / 1000))
  throw new DomainError("too_many_requests", { retryAfterSeconds })
}

const BATCH = 2_000

/** People's whereabouts are kept for so many days (null for ever); what they did stays. */
export async function eraseOldAuditAddresses(
  { db, clock }: { db: Db; clock: Clock },
  days: number | null,
): Promise<void> {
  if (days === null) return
  const happenedBefore = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseNext(tx, happenedBefore)))
}

async function eraseNext(tx: Tx, happenedBefore: Date): Promise<number> {
  return readOn(tx, "audit_record", (after) => eraseNextAddresses(tx, { after, happenedBefore, limit: BATCH }))
}
