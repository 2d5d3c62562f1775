import { asOwner } from "./as-owner.ts"
import { insertChargePages } from "./insert-charge-pages.ts"
import type { TestDatabase } from "./test-database.ts"

interface Wishes {
  type?: "page.created" | "page.updated"
  occurredAt?: Date
}

/** Writes so many further events about a new page of the seller, as the numbering does. */
export async function tellEvents(
  database: TestDatabase,
  sellerId: string,
  count: number,
  { type = "page.created", occurredAt = new Date() }: Wishes = {},
): Promise<void> {
  const at = `'${occurredAt.toISOString()}'`
  const [pageId] = await insertChargePages(database.db, [{ sellerId, at: occurredAt.toISOString() }])
  await asOwner(
    database,
    `with moved as (
       insert into event_sequences as log (seller_id, last_sequence) values ('${sellerId}', ${count})
       on conflict (seller_id) do update set last_sequence = log.last_sequence + ${count}
       returning last_sequence
     )
     insert into events (seller_id, sequence, occurred_at, subject_id, type, state)
     select '${sellerId}', last_sequence - ${count} + step, ${at}, '${pageId}', '${type}', '{}'
     from moved, generate_series(1, ${count}) step`,
  )
}
