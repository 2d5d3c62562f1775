import { sql } from "kysely"
import type { Db } from "#db/transaction"

/** Counts unprocessed messages. Old ones are excluded: they wait for the provider and cost no CPU. */
export async function holdsNewMessages(db: Db, { atLeast, since }: { atLeast: number; since: Date }): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(messages), 0) as count
    from (select cardinality(lengths) as messages from psp_inbox where processed_at is null and received_at > ${since} limit ${atLeast}) waiting`.execute(
    db,
  )
  return (rows[0]?.count ?? 0) >= atLeast
}
