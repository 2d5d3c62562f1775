import {
  inBulkSession,
  inLanes,
  inTransaction,
  lastSeededXid,
  type Session,
  spendTransactions,
} from "./bulk-session.ts"
import { createIndexes, dropIndexes } from "./rebuilt-indexes.ts"
import { recordStates } from "./record-states.ts"
import { seedCharges, seedLedger, seedSearchTexts } from "./seed-charges.ts"
import { seedMarks, seedUnmatched, seedWithdrawals } from "./seed-exceptions.ts"
import { seedAdmin, seedPeople } from "./seed-people.ts"
import { seedTotals } from "./seed-totals.ts"

/**
 * Fills a fresh, migrated database with a year of trade. Where `wal_level` is minimal, tables truncated in the same
 * transaction need no write-ahead log. The admin is inserted last, so a missing admin marks an incomplete seeding.
 */
export async function seedHistory(url: string, charges: number): Promise<void> {
  const lastXid = lastSeededXid(charges)
  const indexes = await inBulkSession(url, async (session) => {
    await spendTransactions(session, charges)
    const dropped = await dropIndexes(session)
    await inTransaction(session, () => seedPeopleAndCharges(session, charges))
    return dropped
  })
  await inLanes(
    url,
    3,
    [seedSearchTexts, seedLedger, seedTotals].map((seed) => (session) => inTransaction(session, seed)),
    lastXid,
  )
  await inBulkSession(
    url,
    (session) => inTransaction(session, () => seedExceptions(session, charges, lastXid)),
    lastXid,
  )
  await createIndexes(url, indexes)
  await inBulkSession(url, async (session) => {
    await session.query("vacuum (freeze, analyze)")
    await inTransaction(session, async () => {
      await seedAdmin(session)
      await session.query(recordStates)
    })
  })
}

async function seedPeopleAndCharges(session: Session, charges: number): Promise<void> {
  const { sellers } = await seedPeople(session, charges)
  await seedCharges(session, charges, sellers)
}

async function seedExceptions(session: Session, charges: number, lastXid: number): Promise<void> {
  await seedUnmatched(session, charges)
  await seedWithdrawals(session)
  await seedMarks(session, lastXid)
}
