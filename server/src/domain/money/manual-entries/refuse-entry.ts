import type { Db, Tx } from "#db/transaction"
import { listApprovers } from "#domain/people/second-approvals/list-approvers"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { lockEntry, markRefused } from "./manual-entries-repository.ts"
import type { ManualEntry } from "./manual-entry.ts"
import { recordEntry } from "./manual-entry-audit.ts"
import { tellOfEntry } from "./tell-of-entry.ts"

interface Refusal {
  id: string
  admin: Actor
}

/** Ends a waiting entry: its author withdraws it, or another administrator refuses it. Nothing is booked. */
export async function refuseEntry({ db, clock }: { db: Db; clock: Clock }, refusal: Refusal): Promise<ManualEntry> {
  if (!isId(refusal.id)) throw new DomainError("not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => refuse(tx, refusal, now))
}

async function refuse(tx: Tx, { id, admin }: Refusal, now: Date): Promise<ManualEntry> {
  const entry = await lockEntry(tx, id)
  if (entry === null) throw new DomainError("not_found")
  if (entry.bookedAt !== null) throw new DomainError("manual_entry_booked")
  if (entry.refusedAt !== null) return entry
  if (!(await listApprovers(tx, now)).includes(admin.id)) throw new DomainError("admin_rights_pending")
  const refused = { ...entry, refusedBy: admin.id, refusedAt: now }
  await markRefused(tx, id, { by: admin.id, now })
  await recordEntry(tx, "manual_entry.refused", refused, { by: admin, now })
  await tellOfEntry(tx, refused, admin, now)
  return refused
}
