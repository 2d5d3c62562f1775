import type { Db, Tx } from "#db/transaction"
import { readOn } from "#domain/platform/retention/read-on"
import { workThrough } from "#domain/platform/retention/work-through"
import { type Clock, secondsAfter } from "#kit/clock"
import { eraseNextAddresses } from "./audit-addresses-repository.ts"

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
