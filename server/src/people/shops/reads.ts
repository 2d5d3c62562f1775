import { sql } from "kysely"
import { prepared } from "#db/prepared"
import type { Db } from "#db/transaction"
import { isAuthentic } from "#platform/order-macs/macs"
import { noShop, type Shop, type ShopName, type ShopNameRow, shopNameOrder } from "./rules.ts"

/** As its owner left it, with or without a name. */
export async function readShop(db: Db, sellerId: string): Promise<Shop> {
  const { rows } = await prepared<Shop>("find-shop")`
    select coalesce(named.name, '') as name, coalesce(named.document, '') as document, shop.color, shop.whatsapp,
      shop.email, shop.closed_text as "closedText", shop.logo_digest as "logoDigest"
    from shops shop
    left join lateral (
      select name, document from shop_names where seller_id = shop.seller_id order by id desc limit 1
    ) named on true
    where shop.seller_id = ${sellerId}`.execute(db)
  return rows[0] ?? noShop
}

/** Null where payers see the seller's own name. */
export async function findShop(db: Db, sellerId: string): Promise<Shop | null> {
  const shop = await readShop(db, sellerId)
  return shop.name === "" ? null : shop
}

interface Sale {
  sellerId: string
  paidAt: Date
}

/**
 * Who was paid, as payers knew them at that moment: the shop's name and document, else the seller's own name as it is today.
 * Whatever shows a payment to people reads it here.
 */
export async function readReceiver(db: Db, sale: Sale): Promise<ShopName> {
  const { rows } = await prepared<ShopName>("read-receiver")`
    select coalesce(nullif(named.name, ''), seller.name) as name,
      case when named.name <> '' then named.document else '' end as document
    from users seller
    left join lateral (
      select name, document from shop_names
      where seller_id = seller.id and since <= ${sale.paidAt} order by id desc limit 1
    ) named on true
    where seller.id = ${sale.sellerId}`.execute(db)
  return rows[0] ?? { name: "", document: "" }
}

/** A document that counts as the seller's own, besides their CPF. */
export interface OwnCnpj {
  cnpj: string
  /** Withdrawals to it wait as if it had been used for the first time then. */
  since: Date
}

/** The shop's CNPJ of today, since when it has been so without a break; null where this platform never wrote it. */
export async function findOwnCnpj(db: Db, sellerId: string): Promise<OwnCnpj | null> {
  const { rows } = await sql<ShopNameRow>`
    select id, seller_id as "sellerId", name, document, since, mac from shop_names
    where seller_id = ${sellerId} order by id desc limit 100`.execute(db)
  const [latest] = rows
  if (latest?.document.length !== 14) return null
  const other = rows.findIndex(({ document }) => document !== latest.document)
  const held = other === -1 ? rows : rows.slice(0, other)
  const first = held.at(-1)
  if (first === undefined || !held.every((row) => isAuthentic(shopNameOrder(row), row.mac))) return null
  return { cnpj: latest.document, since: first.since }
}

/** A PNG. Sellers who sent the same picture share its address. */
export async function findLogo(db: Db, digest: string): Promise<Buffer | null> {
  const row = await db.selectFrom("shops").select("logo").where("logo_digest", "=", digest).limit(1).executeTakeFirst()
  return row?.logo ?? null
}
