import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import type { Db } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"

interface Deps {
  db: Db
  clock: Clock
  /** Starts the job on this node; one that is already running runs once more afterwards. */
  wakeJob(name: JobByHand): void
}

export async function runJobByHand(
  { db, clock, wakeJob }: Deps,
  { name, admin }: { name: JobByHand; admin: Actor },
): Promise<void> {
  const entry = { actor: admin, happenedAt: clock.now(), action: "job.run", entity: "job", entityId: name } as const
  await db.transaction().execute((tx) => recordAudit(tx, { ...entry, before: null, after: null }))
  wakeJob(name)
}
