import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { lockPerson } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readFavourites } from "./counter-reads.ts"
import type { Favourite } from "./rules.ts"
import { deleteFavouritesOf, saveFavouriteRow } from "./table.ts"

/** The whole list takes the place of the one before. */
export async function saveFavourites(
  { db, clock }: { db: Db; clock: Clock },
  input: { by: Actor; favourites: readonly Favourite[] },
): Promise<void> {
  await db.transaction().execute((tx) => save(tx, input, clock.now()))
}

async function save(
  tx: Tx,
  { by, favourites }: { by: Actor; favourites: readonly Favourite[] },
  now: Date,
): Promise<void> {
  await lockPerson(tx, by.id)
  const before = await readFavourites(tx, by.id)
  await saveFavouriteRow(tx, { sellerId: by.id, favourites, now })
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action: "counter.favourites_changed",
    entity: "user",
    entityId: by.id,
    before: { favourites: before.map(textOf) },
    after: { favourites: favourites.map(textOf) },
  })
}

function textOf({ name, amountCents }: Favourite): string {
  return `${name} ${reaisText(amountCents)}`
}

/** For an account that is deleted. */
export async function eraseFavouritesOf(tx: Tx, sellerId: string): Promise<void> {
  await deleteFavouritesOf(tx, sellerId)
}
