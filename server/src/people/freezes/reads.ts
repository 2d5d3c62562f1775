import { type RawBuilder, sql } from "kysely"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"

export interface Freeze {
  id: string
  userId: string
  frozenAt: Date
  trustsFactorsUntil: Date
}

/** The freezes under way. */
export async function findFreezes(db: Db, userIds: readonly string[]): Promise<Freeze[]> {
  const { rows } = await prepared<Freeze>("find-freezes")`
    select id, user_id as "userId", frozen_at as "frozenAt", trusts_factors_until as "trustsFactorsUntil"
    from freezes where ended_at is null and user_id = any(${uuidList(userIds)})`.execute(db)
  return rows
}

export async function findThawedSince(db: Db, userIds: readonly string[], since: Date): Promise<string[]> {
  const query = db.selectFrom("freezes").select("user_id").distinct().where("user_id", "in", userIds)
  return (await query.where("ended_at", ">=", since).execute()).map(({ user_id }) => user_id)
}

/** For a query: whether a freeze of the user whose id is in this column is under way. */
export function isFrozen(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from freezes where freezes.user_id = ${userId} and freezes.ended_at is null)`
}
