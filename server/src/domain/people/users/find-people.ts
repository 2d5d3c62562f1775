import type { Db, Tx } from "#db/transaction"
import { findPeopleByIds, type HeldPerson, holdPeopleByIds, type Person } from "./users-repository.ts"

export type { HeldPerson, Person } from "./users-repository.ts"

/** People by id; unknown ids are missing. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await findPeopleByIds(db, ids)
  return new Map(people.map((person) => [person.id, person]))
}

/** The same, locked against freezes, recoveries and changes by an administrator until the end of the transaction. */
export async function holdPeople(tx: Tx, ids: readonly string[]): Promise<Map<string, HeldPerson>> {
  const people = await holdPeopleByIds(tx, ids)
  return new Map(people.map((person) => [person.id, person]))
}
