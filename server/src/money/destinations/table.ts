import type { DestinationProof, SaidOwner } from "@tilinta/contract/vocabulary/withdrawals"
import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { destinationColumns, targetOf } from "#money/withdrawals/withdrawal"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { isTrusted, ownerWordOf, toUsedDestination } from "./reads.ts"
import { type OwnerWord, ownerOrder, type UsedDestination } from "./rules.ts"

/** A known destination is only used again, a removed one begins anew. */
export async function saveDestinationUse(tx: Tx, used: Omit<UsedDestination, "saidOwner">): Promise<void> {
  const row: NewRow<
    "destinations",
    "removed_at" | "owner" | "owner_reason" | "owner_said_by" | "owner_said_at" | "owner_mac"
  > = {
    id: used.id,
    seller_id: used.sellerId,
    target: targetOf(used.destination),
    ...destinationColumns(used.destination),
    first_used_at: used.firstUsedAt,
    last_used_at: used.lastUsedAt,
    confirmed_by: used.confirmedBy,
  }
  const wasRemoved = sql<boolean>`destinations.first_used_at <= destinations.removed_at`
  const changes = {
    last_used_at: sql<Date>`greatest(destinations.last_used_at, excluded.last_used_at)`,
    first_used_at: sql<Date>`case when ${wasRemoved} then excluded.first_used_at else destinations.first_used_at end`,
    confirmed_by: sql<DestinationProof | null>`
      case when ${wasRemoved} then excluded.confirmed_by else destinations.confirmed_by end`,
    // Good words are said about a destination as it was; a bad one stays until somebody takes it back.
    owner: sql<SaidOwner | null>`
      case when ${wasRemoved} and destinations.owner <> 'other' then null else destinations.owner end`,
  }
  await tx
    .insertInto("destinations")
    .values(row)
    .onConflict((conflict) => conflict.columns(["seller_id", "target"]).doUpdateSet(changes))
    .execute()
}

interface Distrusted {
  usedSince: Date
  now: Date
}

/** Makes those new again that were first used since then, and those where no withdrawal was ever paid. */
export async function removeDoubtfulDestinations(
  tx: Tx,
  sellerId: string,
  { usedSince, now }: Distrusted,
): Promise<void> {
  await sql`
    update destinations set removed_at = ${now}
    where seller_id = ${sellerId} and ${isTrusted} and (
      first_used_at >= ${usedSince}
      or not exists (
        select from withdrawals paid
        where paid.seller_id = destinations.seller_id and paid.status = 'completed'
          and paid.pix_key is not distinct from destinations.pix_key
          and paid.bank_data is not distinct from destinations.bank_data
      )
    )`.execute(tx)
}

/** Null when it isn't the seller's, or was removed before, also by a concurrent request. */
export async function removeDestinationRow(
  tx: Tx,
  { id, sellerId, now }: { id: string; sellerId: string; now: Date },
): Promise<UsedDestination | null> {
  const row = await tx
    .updateTable("destinations")
    .set({ removed_at: now })
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where(isTrusted)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toUsedDestination(row)
}

export async function deleteDestinationsOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("destinations").where("seller_id", "=", sellerId).execute()
}

export async function lockDestination(tx: Tx, { id, sellerId }: Pick<UsedDestination, "id" | "sellerId">) {
  const query = tx.selectFrom("destinations").selectAll().where("id", "=", id).where("seller_id", "=", sellerId)
  const row = await query.forUpdate().executeTakeFirst()
  return row === undefined ? null : toUsedDestination(row)
}

/** The caller holds its lock. */
export async function saveOwner(tx: Tx, word: OwnerWord): Promise<void> {
  const { id, owner, reason, by, at } = word
  const changes = {
    owner,
    owner_reason: reason,
    owner_said_by: by,
    owner_said_at: at,
    owner_mac: macOf(ownerOrder(word)),
  }
  await tx.updateTable("destinations").set(changes).where("id", "=", id).execute()
}

/** Those whose MAC another key than the first has made, locked. */
export async function lockWordsOfFormerKey(tx: Tx, secretKeys: SecretKeys) {
  const query = tx.selectFrom("destinations").selectAll().where("owner_mac", "not like", currentMacs(secretKeys))
  return (await query.orderBy("id").forUpdate().execute()).map(ownerWordOf)
}

export async function saveOwnerMac(tx: Tx, id: string, mac: string | null): Promise<void> {
  await tx.updateTable("destinations").set({ owner_mac: mac }).where("id", "=", id).execute()
}
