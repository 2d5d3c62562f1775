import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { ChargeStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { sql } from "kysely"
import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { holdsWords, idsWithWords } from "./charge-words-repository.ts"

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

/** This many newest rows are checked one by one. */
const FEW = 500

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

/** A pasted identifier: the charge's own id, its txid or its payment's endToEndId. */
export async function findNamedCharges(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const { words } = search
  const byId = isId(words) ? sql`select ${words}::uuid union all` : sql``
  return readFound(
    db,
    search,
    sql`${byId} select id from charges where txid = ${words}
      union all select charge_id from payments where end_to_end_id = ${words}
      union all select accepted_charge_id from unmatched_payments where end_to_end_id = ${words}`,
  )
}

/** The newest charges that contain the words; common words are found without finding all matches. */
export async function findChargesWithText(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const { sellerId, atMost } = search
  const owned = sellerId === undefined ? sql`` : sql`and charge.seller_id = ${sellerId}`
  const newest = await readFound(
    db,
    search,
    sql`select charge.id from (
        select charge.* from charges charge where charge.status <> 'creating' ${owned}
        order by charge.created_at desc, charge.id desc limit ${sql.lit(FEW)}
      ) charge where ${holdsWords(search)}`,
  )
  if (newest.length === atMost) return newest
  const ids = idsWithWords(search)
  // Ids grow with time, so their order is the list's; each part finds a charge at most once.
  return readFound(db, search, sellerId === undefined ? sql`${ids} order by 1 desc limit ${atMost * 6}` : ids)
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
