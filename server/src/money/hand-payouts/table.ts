import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { HandPayout } from "./rules.ts"

/** The caller holds the withdrawal's lock. */
export async function getHandPayout(tx: Tx, withdrawalId: string): Promise<HandPayout | null> {
  const row = await tx
    .selectFrom("hand_payouts")
    .selectAll()
    .where("withdrawal_id", "=", withdrawalId)
    .executeTakeFirst()
  if (row === undefined) return null
  return { withdrawalId, claimedBy: row.claimed_by, claimedAt: row.claimed_at, bankId: row.bank_id }
}

/** A row that tells nothing any more goes. The caller holds the withdrawal's lock. */
export async function saveHandPayout(
  tx: Tx,
  { withdrawalId, claimedBy, claimedAt, bankId }: HandPayout,
): Promise<void> {
  if (claimedBy === null && bankId === null) {
    await tx.deleteFrom("hand_payouts").where("withdrawal_id", "=", withdrawalId).execute()
    return
  }
  const changes = { claimed_by: claimedBy, claimed_at: claimedAt, bank_id: bankId }
  await tx
    .insertInto("hand_payouts")
    .values({ withdrawal_id: withdrawalId, ...changes } satisfies NewRow<"hand_payouts">)
    .onConflict((conflict) => conflict.column("withdrawal_id").doUpdateSet(changes))
    .execute()
}

/** True when another withdrawal was paid by this transfer. Whoever asks about the same one waits for the answer. */
export async function isBankIdUsed(tx: Tx, { withdrawalId, bankId }: { withdrawalId: string; bankId: string }) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bank-id:${bankId}`}, 0))`.execute(tx)
  const { rows } = await sql`
    select withdrawal_id from hand_payouts where bank_id = ${bankId} and withdrawal_id <> ${withdrawalId}
    union all
    select id from withdrawals where end_to_end_id = ${bankId} and id <> ${withdrawalId}`.execute(tx)
  return rows.length > 0
}
