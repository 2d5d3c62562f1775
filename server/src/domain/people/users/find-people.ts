import type { Db, Tx } from "#db/transaction"
import { findPeopleByIds, type LockedPerson, lockPersonRow, type Person } from "./users-repository.ts"

/** People by id; unknown ids are missing. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await findPeopleByIds(db, ids)
  return new Map(people.map((person) => [person.id, person]))
}

/** Locked against freezes, recoveries and changes by an administrator until the end of the transaction. */
export async function lockPerson(tx: Tx, id: string): Promise<LockedPerson | null> {
  return lockPersonRow(tx, id)
}
