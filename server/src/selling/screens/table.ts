import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"

interface NewScreen {
  id: string
  shopId: string
  createdBy: string
  codeHash: Buffer
  codeExpiresAt: Date
  createdAt: Date
}

export async function insertScreen(tx: Tx, screen: NewScreen): Promise<void> {
  await tx
    .insertInto("shop_screens")
    .values({
      id: screen.id,
      shop_id: screen.shopId,
      created_by: screen.createdBy,
      code_hash: screen.codeHash,
      code_expires_at: screen.codeExpiresAt,
      created_at: screen.createdAt,
    } satisfies NewRow<"shop_screens", "token_hash" | "paired_at" | "charge_id">)
    .execute()
}

export async function deleteUnusedScreens(tx: Tx, shopId: string, now: Date): Promise<void> {
  const query = tx.deleteFrom("shop_screens").where("shop_id", "=", shopId)
  await query.where("paired_at", "is", null).where("code_expires_at", "<=", now).execute()
}

/** One of several devices that use a code at once gets it. */
export async function pairScreen(
  tx: Tx,
  { codeHash, tokenHash, now }: { codeHash: Buffer; tokenHash: Buffer; now: Date },
): Promise<{ id: string; shopId: string } | undefined> {
  const query = tx
    .updateTable("shop_screens")
    .set({ token_hash: tokenHash, paired_at: now, code_hash: null })
    .where("code_hash", "=", codeHash)
    .where("code_expires_at", ">", now)
  return query.returning(["id", "shop_id as shopId"]).executeTakeFirst()
}

/** Returns what it showed before; undefined for another shop's screen. */
export async function lockScreen(
  tx: Tx,
  { id, shopId }: { id: string; shopId: string },
): Promise<{ chargeId: string | null } | undefined> {
  const query = tx.selectFrom("shop_screens").select("charge_id as chargeId").where("id", "=", id)
  return query.where("shop_id", "=", shopId).forUpdate().executeTakeFirst()
}

export async function saveShown(tx: Tx, id: string, chargeId: string | null): Promise<void> {
  await tx.updateTable("shop_screens").set({ charge_id: chargeId }).where("id", "=", id).execute()
}

export async function deleteScreen(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("shop_screens").where("id", "=", id).execute()
}

/** The shop's, and those that the person made elsewhere. */
export async function deleteScreensOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("shop_screens")
    .where((row) => row.or([row("shop_id", "=", userId), row("created_by", "=", userId)]))
    .execute()
}
