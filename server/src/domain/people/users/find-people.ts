import type { Db } from "#db/transaction"
import { findPeopleByIds, type Person } from "./users-repository.ts"

export type { Person } from "./users-repository.ts"

/** By id. Who doesn't exist isn't in it. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await findPeopleByIds(db, ids)
  return new Map(people.map((person) => [person.id, person]))
}
