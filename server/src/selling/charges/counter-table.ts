import type { Tx } from "#db/transaction"
import type { Favourite } from "./rules.ts"

export async function saveFavouriteRow(
  tx: Tx,
  { sellerId, favourites, now }: { sellerId: string; favourites: readonly Favourite[]; now: Date },
): Promise<void> {
  const values = { favourites: JSON.stringify(favourites), updated_at: now }
  await tx
    .insertInto("counter_favourites")
    .values({ seller_id: sellerId, ...values })
    .onConflict((conflict) => conflict.column("seller_id").doUpdateSet(values))
    .execute()
}

export async function deleteFavouritesOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("counter_favourites").where("seller_id", "=", sellerId).execute()
}
