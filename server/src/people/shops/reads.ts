import { sql } from "kysely"
import { prepared } from "#db/prepared"
import type { Db } from "#db/transaction"
import { noShop, type OwnCnpj, ownCnpjIn, type Shop, type ShopName, type ShopNameRow } from "./rules.ts"

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
  /** Null before: payers see today's. */
  paidAt: Date | null
}

/**
 * The shop's name and document of the moment at which it was paid, else the seller's own name as it is today. Each page, file
 * and mail about a payment reads its receiver here.
 */
export async function readReceiver(db: Db, sale: Sale): Promise<ShopName> {
  const { rows } = await prepared<ShopName>("read-receiver")`
    select coalesce(nullif(named.name, ''), seller.name) as name,
      case when named.name <> '' then named.document else '' end as document
    from users seller
    left join lateral (
      select name, document from shop_names
      where seller_id = seller.id and since <= coalesce(${sale.paidAt}::timestamptz, 'infinity') order by id desc limit 1
    ) named on true
    where seller.id = ${sale.sellerId}`.execute(db)
  return rows[0] ?? { name: "", document: "" }
}

export async function findOwnCnpj(db: Db, sellerId: string): Promise<OwnCnpj | null> {
  return (await findOwnCnpjs(db, [sellerId])).get(sellerId) ?? null
}

/** Today's CNPJ of each seller's shop. One that the database alone tells of, as this platform never wrote it, is missing. */
export async function findOwnCnpjs(db: Db, sellerIds: readonly string[]): Promise<Map<string, OwnCnpj>> {
  if (sellerIds.length === 0) return new Map()
  const { rows } = await sql<ShopNameRow>`
    select named.* from unnest(${[...new Set(sellerIds)]}::uuid[]) seller (id) cross join lateral (
      select id, seller_id as "sellerId", name, document, since, mac from shop_names
      where seller_id = seller.id order by id desc limit 100
    ) named order by named.id desc`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ sellerId }) => sellerId)].flatMap(([sellerId, names]) => {
      const own = ownCnpjIn(names)
      return own === null ? [] : [[sellerId, own]]
    }),
  )
}

/** A PNG. Sellers who sent the same picture share its address. */
export async function findLogo(db: Db, digest: string): Promise<Buffer | null> {
  const row = await db.selectFrom("shops").select("logo").where("logo_digest", "=", digest).limit(1).executeTakeFirst()
  return row?.logo ?? null
}
