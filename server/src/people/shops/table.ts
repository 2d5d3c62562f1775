import { sql } from "kysely"
import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs } from "#platform/order-macs/macs"
import { readShop } from "./reads.ts"
import { noShop, type Shop, type ShopNameRow } from "./rules.ts"

/** Serialises one seller's changes. The first one inserts the row. */
export async function lockShop(tx: Tx, sellerId: string, now: Date): Promise<Shop> {
  await tx
    .insertInto("shops")
    .values({
      seller_id: sellerId,
      color: noShop.color,
      whatsapp: "",
      email: "",
      closed_text: "",
      logo: null,
      logo_digest: null,
      updated_at: now,
    } satisfies NewRow<"shops">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom("shops").select("seller_id").where("seller_id", "=", sellerId).forUpdate().execute()
  return readShop(tx, sellerId)
}

/** All but the name, the document and the logo. */
export async function updateShop(tx: Tx, sellerId: string, shop: Shop, now: Date): Promise<void> {
  await tx
    .updateTable("shops")
    .set({
      color: shop.color,
      whatsapp: shop.whatsapp,
      email: shop.email,
      closed_text: shop.closedText,
      updated_at: now,
    } satisfies ChangedRow<"shops", "seller_id" | "logo" | "logo_digest">)
    .where("seller_id", "=", sellerId)
    .execute()
}

export async function insertShopName(tx: Tx, { sellerId, ...row }: ShopNameRow): Promise<void> {
  await tx
    .insertInto("shop_names")
    .values({ ...row, seller_id: sellerId } satisfies NewRow<"shop_names">)
    .execute()
}

export async function updateLogo(
  tx: Tx,
  sellerId: string,
  { logo, digest }: { logo: Buffer | null; digest: string | null },
  now: Date,
): Promise<void> {
  const values = { logo, logo_digest: digest, updated_at: now }
  await tx.updateTable("shops").set(values).where("seller_id", "=", sellerId).execute()
}

/** For an account that is deleted: its payments then show nobody's name. */
export async function eraseShopOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("shops").where("seller_id", "=", sellerId).execute()
  await tx.deleteFrom("shop_names").where("seller_id", "=", sellerId).execute()
}

/** Those whose MAC another key than the first has made, locked. */
export async function lockNamesOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<ShopNameRow[]> {
  const { rows } = await sql<ShopNameRow>`
    select id, seller_id as "sellerId", name, document, since, mac from shop_names
    where mac not like ${currentMacs(secretKeys)} order by id for update`.execute(tx)
  return rows
}

export async function saveNameMac(tx: Tx, { id }: ShopNameRow, mac: string): Promise<void> {
  await tx.updateTable("shop_names").set({ mac }).where("id", "=", id).execute()
}
