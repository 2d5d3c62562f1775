import type { Db, Tx } from "#db/transaction"
import { type Clock, daysAfter, saoPauloDay } from "#kit/clock"
import { newId } from "#kit/ids"
import { lockAccount } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import { type CounterShift, findLastShift } from "./counter-reads.ts"
import { insertShiftOfNewSales } from "./table.ts"

/**
 * Closes the shift of the person at the counter, and answers with their last one. Without new sales nothing changes: who
 * asks again after an answer that was lost reads the same.
 */
export async function closeCounterShift(
  { db, clock }: { db: Db; clock: Clock },
  by: Actor,
): Promise<CounterShift | null> {
  return db.transaction().execute((tx) => close(tx, by, clock.now()))
}

async function close(tx: Tx, by: Actor, now: Date): Promise<CounterShift | null> {
  const at = { sellerId: by.id, personId: personOf(by) }
  // Under this lock two closings come one after the other.
  await lockAccount(tx, at.personId)
  const id = newId()
  const isNew = await insertShiftOfNewSales(tx, { id, ...at, sinceDay: daysAfter(saoPauloDay(now), -1), now })
  const shift = await findLastShift(tx, at)
  if (!isNew || shift === null) return shift
  const { count: sales, amountCents } = shift
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action: "counter.shift_closed",
    entity: "user",
    entityId: by.id,
    before: null,
    after: { sales, amountCents },
  })
  return shift
}
