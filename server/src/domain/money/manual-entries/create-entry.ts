import type { Db, Tx } from "#db/transaction"
import { listApprovers } from "#domain/people/second-approvals/list-approvers"
import { findPeople } from "#domain/people/users/find-people"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { bookEntry, refuseAboveFees } from "./book-entry.ts"
import { findEntry, insertEntry } from "./manual-entries-repository.ts"
import type { ManualEntry } from "./manual-entry.ts"
import { recordEntry } from "./manual-entry-audit.ts"
import { refuseReversal } from "./refuse-reversal.ts"
import { tellOfEntry } from "./tell-of-entry.ts"

type Facts = Pick<
  ManualEntry,
  "kind" | "direction" | "amountCents" | "provider" | "sellerId" | "reason" | "reference" | "reverses"
>

interface Wish extends Facts {
  admin: Actor
  idempotencyKey: string | null
}

/** Books at once where there is no other administrator; else it waits for one of them. */
export async function createEntry({ db, clock }: { db: Db; clock: Clock }, wish: Wish): Promise<ManualEntry> {
  const now = clock.now()
  return db.transaction().execute((tx) => create(tx, wish, now))
}

async function create(tx: Tx, { admin, idempotencyKey, ...facts }: Wish, now: Date): Promise<ManualEntry> {
  const id = newId()
  const claim = { ownerId: admin.id, key: idempotencyKey, request: { manualEntry: facts }, resourceId: id }
  const first = await claimIdempotencyKey(tx, claim)
  if (first !== id) return known(tx, first)
  await refuseUnknownSeller(tx, facts.sellerId)
  if (facts.sellerId === admin.id) throw new DomainError("own_correction")
  const approvers = await listApprovers(tx, now)
  if (!approvers.includes(admin.id)) throw new DomainError("admin_rights_pending")
  const isAlone = approvers.every((other) => other === admin.id || other === facts.sellerId)
  const entry: ManualEntry = {
    ...facts,
    id,
    createdBy: admin.id,
    createdAt: now,
    approvedBy: null,
    bookedAt: isAlone ? now : null,
    refusedBy: null,
    refusedAt: null,
  }
  await refuseReversal(tx, entry)
  await insertEntry(tx, entry)
  if (isAlone) await bookEntry(tx, entry, now)
  else await refuseAboveFees(tx, entry)
  await recordEntry(tx, isAlone ? "manual_entry.booked" : "manual_entry.proposed", entry, { by: admin, now })
  await tellOfEntry(tx, entry, admin, now)
  return entry
}

async function known(tx: Tx, id: string): Promise<ManualEntry> {
  const entry = await findEntry(tx, id)
  invariant(entry !== null, `entry ${id} has a key and no row`)
  return entry
}

async function refuseUnknownSeller(tx: Tx, sellerId: string | null): Promise<void> {
  if (sellerId === null) return
  const people = isId(sellerId) ? await findPeople(tx, [sellerId]) : new Map()
  if (!people.has(sellerId)) throw brokenRule("sellerId", "Vendedor não encontrado.")
}
