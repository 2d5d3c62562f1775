import { sql } from "kysely"
import { asOwner } from "./as-owner.ts"
import type { TestDatabase } from "./test-database.ts"

/** Inserts enough rows that an export of them exceeds every buffer on its way. */
export async function insertLongCharges(
  database: TestDatabase,
  { sellerId, pageId, count }: { sellerId: string; pageId: string; count: number },
): Promise<void> {
  await sql`
    insert into charges (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents,
      page_title, description, pix_code, expires_at, created_at, updated_at
    )
    select
      gen_random_uuid(), ${sellerId}, ${pageId}, 'long' || n, 'simulator', 'pending', 1000, 0, 0, 1000,
      'Mentoria', 'Mentoria', '000201', '2099-01-01', now(), now()
    from generate_series(1, ${count}::int) n`.execute(database.db)
  // Set after the insert, so that the long text is not folded for the search.
  await asOwner(database, `update charges set description = repeat('x', 4000) where seller_id = '${sellerId}'`)
}
