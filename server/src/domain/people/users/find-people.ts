import type { Db } from "#db/transaction"
import { findPeopleByIds, type Person } from "./users-repository.ts"

export type { Person } from "./users-repository.ts"

/** People by id; unknown ids are missing. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await findPeopleByIds(db, ids)
  return new Map(people.map((person) => [person.id, person]))
}
