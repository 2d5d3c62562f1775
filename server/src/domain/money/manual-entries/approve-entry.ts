import type { Db, Tx } from "#db/transaction"
import { listApprovers } from "#domain/people/second-approvals/list-approvers"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { bookEntry } from "./book-entry.ts"
import { lockEntry, markBooked } from "./manual-entries-repository.ts"
import type { ManualEntry } from "./manual-entry.ts"
import { recordEntry } from "./manual-entry-audit.ts"
import { tellOfEntry } from "./tell-of-entry.ts"

interface Approval {
  id: string
  admin: Actor
}

/** The second administrator's word books it, while the first one is still an administrator. */
export async function approveEntry({ db, clock }: { db: Db; clock: Clock }, approval: Approval): Promise<ManualEntry> {
  if (!isId(approval.id)) throw new DomainError("not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => approve(tx, approval, now))
}

async function approve(tx: Tx, { id, admin }: Approval, now: Date): Promise<ManualEntry> {
  const entry = await lockEntry(tx, id)
  if (entry === null) throw new DomainError("not_found")
  if (entry.bookedAt !== null) throw new DomainError("manual_entry_booked")
  if (entry.refusedAt !== null) throw new DomainError("manual_entry_refused")
  if (entry.createdBy === admin.id) throw new DomainError("second_approver_needed")
  if (entry.sellerId === admin.id) throw new DomainError("own_correction")
  const approvers = await listApprovers(tx, now)
  if (!approvers.includes(admin.id)) throw new DomainError("admin_rights_pending")
  if (!approvers.includes(entry.createdBy)) throw new DomainError("manual_entry_orphaned")
  const booked = { ...entry, approvedBy: admin.id, bookedAt: now }
  await markBooked(tx, id, booked)
  await bookEntry(tx, booked, now)
  await recordEntry(tx, "manual_entry.booked", booked, { by: admin, now })
  await tellOfEntry(tx, booked, admin, now)
  return booked
}
