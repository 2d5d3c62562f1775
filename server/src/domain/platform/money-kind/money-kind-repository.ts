import type { MoneyKind } from "@tilinta/contract/vocabulary/money-kind"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

/** Has no effect when the database already has a kind, whichever. */
export async function insertMoneyKindOnce(tx: Tx, kind: MoneyKind, now: Date): Promise<void> {
  await tx
    .insertInto("money_kind")
    .values({ kind, chosen_at: now } satisfies NewRow<"money_kind">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findMoneyKind(db: Db): Promise<MoneyKind | null> {
  return (await db.selectFrom("money_kind").select("kind").executeTakeFirst())?.kind ?? null
}
