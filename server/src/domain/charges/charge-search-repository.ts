import { sql } from "kysely"
import type { ChargeStatus } from "#db/charge-tables"
import { foldedPattern } from "#db/holds-text"
import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import type { Cents } from "#kit/money"

export interface FoundCharge {
  id: string
  description: string
  pageTitle: string
  payerName: string | null
  amountCents: Cents
  status: ChargeStatus
  expiresAt: Date
  createdAt: Date
  sellerName: string
}

interface Row {
  id: string
  description: string
  page_title: string
  payer_name: string | null
  amount_cents: Cents
  status: ChargeStatus
  expires_at: Date
  created_at: Date
  seller_name: string
}

/** What somebody pasted whole: the charge's own id, its txid or what the bank calls its payment. */
export async function findNamedCharges(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const { words } = search
  const byId = isId(words) ? sql`select ${words}::uuid union all` : sql``
  return readFound(
    db,
    search,
    sql`${byId} select id from charges where txid = ${words}
      union all select charge_id from payments where end_to_end_id = ${words}
      union all select accepted_charge_id from payment_reviews where end_to_end_id = ${words}`,
  )
}

/** The newest that hold the words. Ids grow with time, so their own order is the list's. */
export async function findChargesWithText(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const holds = sql`select charge_id from charge_search_texts where folded like ${foldedPattern(search.words)}`
  // A charge has two texts at most, and of everybody's the newest are enough.
  const newest = sql`${holds} order by charge_id desc limit ${search.atMost * 2 + 2}`
  return readFound(db, search, search.sellerId === undefined ? newest : holds)
}

async function readFound(db: Db, { sellerId, atMost }: SearchFor, ids: ReturnType<typeof sql>): Promise<FoundCharge[]> {
  const owned = sellerId === undefined ? sql`true` : sql`charge.seller_id = ${sellerId}`
  const { rows } = await sql<Row>`
    select charge.id, charge.description, charge.page_title, charge.payer_name, charge.amount_cents, charge.status,
      charge.expires_at, charge.created_at, seller.name as seller_name
    from charges charge join users seller on seller.id = charge.seller_id
    where charge.status <> 'creating' and ${owned} and charge.id in (${ids})
    order by charge.created_at desc, charge.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    description: row.description,
    pageTitle: row.page_title,
    payerName: row.payer_name,
    amountCents: row.amount_cents,
    status: row.status,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    sellerName: row.seller_name,
  }))
}
