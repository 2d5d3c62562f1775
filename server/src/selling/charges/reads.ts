import type { ChargeStatus } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { foldedPattern } from "#db/list-range"
import { lookup, prepared } from "#db/prepared"
import { type PastRow, pastRows, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/errors"
import { isDueTxid } from "#kit/ids"
import { feeRuleOf } from "#selling/charge-pages/fee-columns"
import { type Charge, type PageCharge, payerDocument } from "./rules.ts"

interface Words {
  words: string
  /** Any seller's charges when absent. */
  sellerId?: string | undefined
}

/** Among this many newest charges a fragment of an id matches too; of older ones only its beginning. */
const NEWEST = 2_000

/** Requires a digit, because every id contains a time. */
const idLike = /^(?=.*\d)[0-9a-z]{3,35}$/i

/** Ids of charges that contain the words, or whose order does, or whose id begins with them. Each part uses its own index. */
export function idsWithWords({ words, sellerId }: Words): RawBuilder<unknown> {
  const pattern = foldedPattern(words)
  const ofSeller = sellerId === undefined ? sql`true` : sql`worded.seller_id = ${sellerId}`
  const ofSellersOrder = sellerId === undefined ? sql`true` : sql`ordered.seller_id = ${sellerId}`
  const conditions = [
    sql`select charge_id from charge_search_texts where folded like ${pattern}`,
    sql`select charge.id from charge_wordings worded
      cross join lateral (
        select charges.id from charges
        where ${lookup("charges.page_id", "worded.page_id")} and charge_wording(charges) like ${pattern} offset 0
      ) charge
      where worded.folded like ${pattern} and ${ofSeller}`,
    sql`select charge.id from orders ordered
      cross join lateral (select id from charges where ${lookup("charges.page_id", "ordered.page_id")} offset 0) charge
      where ordered.reference_text like ${pattern} and ${ofSellersOrder}`,
  ]
  if (idLike.test(words)) conditions.push(...idsBegun(words), idsWithFragment({ words, sellerId }))
  return sql.join(conditions, sql` union all `)
}

/** The same condition for one row, which the query names `charge`. */
export function holdsWords({ words, sellerId }: Words): RawBuilder<SqlBool> {
  const pattern = foldedPattern(words)
  const conditions = [
    sql`charge_wording(charge) like ${pattern}`,
    sql`fold_text(charge.payer_name) like ${pattern}`,
    sql`(select reference_text like ${pattern} from orders where ${lookup("page_id", "charge.page_id")})`,
  ]
  if (idLike.test(words)) {
    conditions.push(
      sql`(select bool_or(folded like ${pattern}) from charge_search_texts where charge_id = charge.id)`,
      sql`lower(charge.txid) like ${begunLike(words)}`,
      sql`lower(charge.end_to_end_id) like ${begunLike(words)}`,
      sql`(${holdsFragment(words)} and charge.created_at >= ${fragmentsSince(sellerId)})`,
    )
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** The first nine characters of a txid are its time, in lower case; an endToEndId begins with a capital and digits. */
function idsBegun(words: string): RawBuilder<unknown>[] {
  const ofTime = words.toLowerCase().slice(0, 9)
  const digits = /^.\d*/.exec(words.toUpperCase())?.[0] ?? ""
  return [
    sql`select id from charges
      where ${startsWith("txid", ofTime)} and lower(txid) like ${begunLike(words)}`,
    sql`select paid.id from payments join charges paid on paid.id = payments.charge_id
      where ${startsWith("payments.end_to_end_id", digits)}
        and paid.end_to_end_id = payments.end_to_end_id and lower(paid.end_to_end_id) like ${begunLike(words)}`,
  ]
}

/** A range scan of the index, for texts with bytewise collation. */
function startsWith(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}~`}`
}

function idsWithFragment({ words, sellerId }: Words): RawBuilder<unknown> {
  return sql`select charge.id from charges charge
    where ${isShown(sellerId)} and charge.created_at >= ${fragmentsSince(sellerId)} and ${holdsFragment(words)}`
}

function holdsFragment(words: string): RawBuilder<SqlBool> {
  const fragment = `%${words.toLowerCase()}%`
  return sql<SqlBool>`(lower(charge.txid) like ${fragment} or lower(charge.end_to_end_id) like ${fragment})`
}

function begunLike(words: string): string {
  return `${words.toLowerCase()}%`
}

/** Counts charges that are being created too, so that it reads an index alone. */
function fragmentsSince(sellerId: string | undefined): RawBuilder<Date> {
  const ofSeller = sellerId === undefined ? sql`` : sql`where charge.seller_id = ${sellerId}`
  return sql<Date>`coalesce((
    select charge.created_at from charges charge ${ofSeller}
    order by charge.created_at desc, charge.id desc offset ${sql.lit(NEWEST - 1)} limit 1
  ), '-infinity')`
}

function isShown(sellerId: string | undefined): RawBuilder<SqlBool> {
  const ofSeller = sellerId === undefined ? sql`` : sql`and charge.seller_id = ${sellerId}`
  return sql<SqlBool>`charge.status <> 'creating' ${ofSeller}`
}

type Row = Selectable<Schema["charges"]>

export function toCharge(row: Row): Charge {
  return {
    id: row.id,
    sellerId: row.seller_id,
    pageId: row.page_id,
    txid: row.txid,
    provider: row.provider,
    status: row.status,
    amountCents: row.amount_cents,
    fee: feeRuleOf(row),
    feeCents: row.fee_cents,
    netCents: row.net_cents,
    refundedCents: row.refunded_cents,
    refundedFeeCents: row.refunded_fee_cents,
    pageTitle: row.page_title,
    description: row.description,
    pixCode: row.pix_code,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    payer: {
      name: row.payer_name,
      email: row.payer_email,
      ...payerDocument(row.payer_document),
      phone: row.payer_phone,
    },
    payerErasedAt: row.payer_erased_at,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    endToEndId: row.end_to_end_id,
    paidAt: row.paid_at,
    isLate: row.is_late,
    isDuplicate: row.is_duplicate,
    removal: row.removal,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toPageCharge(row: Row): PageCharge {
  const { page_id: pageId, txid } = row
  invariant(pageId !== null && txid !== null, `charge ${row.id} has no page or txid`)
  return { ...toCharge(row), pageId, txid }
}

export async function findChargeRow(db: Db, id: string): Promise<Charge | null> {
  const row = await db.selectFrom("charges").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toCharge(row)
}

/** Null also for an accepted payment, which nobody asked for. */
export async function findPageCharge(db: Db, id: string): Promise<PageCharge | null> {
  const row = await db.selectFrom("charges").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined || row.page_id === null || row.txid === null ? null : toPageCharge(row)
}

export async function findChargeRows(db: Db, ids: string[]): Promise<Charge[]> {
  const { rows } = await sql<Row>`select * from charges where id = any(${ids}::uuid[])`.execute(db)
  return rows.map(toCharge)
}

/** The pages of those that `markUnfinishedChargesFailed` will find. */
export async function findPagesOfUnfinished(db: Db, createdBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ page_id: string }>`
    select charge.page_id
    from unfinished_charges unfinished join charges charge on charge.id = unfinished.charge_id
    where charge.status = 'creating' and unfinished.created_at < ${createdBefore}
    order by unfinished.created_at limit ${limit}`.execute(db)
  return [...new Set(rows.map((row) => row.page_id))]
}

/** Those of the pages that have a charge whose code was shown, or is on its way. */
export async function findPagesWithSeenCharge(db: Db, pageIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ page_id: string }>`
    select distinct page_id from charges
    where page_id = any(${pageIds}::uuid[]) and (pix_code is not null or status = 'creating')`.execute(db)
  return rows.map((row) => row.page_id)
}

export async function findPagesWithOpenCharges(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ page_id: string }>`
    select distinct page_id from open_charges where seller_id = ${sellerId}`.execute(db)
  return rows.map((row) => row.page_id)
}

export async function readOldestDueRemoval(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(updated_at) as "oldestAt" from charges where removal = 'due'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}

export async function findPastChargeRows(db: Db, past: readonly PastRow[]): Promise<Map<number, Charge>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<Row & { sequence: number }>`
    select past.sequence, charge.* from ${pastRows("charges", past)}
    cross join lateral jsonb_populate_record(was, case when was.paid_at is null then was.asked_for end) charge`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.sequence, toCharge(row)]))
}

export interface StatusRow {
  id: string
  status: ChargeStatus
  expiresAt: Date
}

/**
 * The statuses that the database has now, for all waiting callers. Known charges that are still pending and not
 * expired, as most are, return no row.
 */
export async function findStatusRows(
  db: Db,
  { ids, strangers, overBy }: { ids: readonly string[]; strangers: readonly string[]; overBy: Date },
): Promise<StatusRow[]> {
  const { rows } = await prepared<StatusRow>("payment-statuses")`
    select id, status, expires_at as "expiresAt" from charges
    where id = any(${uuidList(ids)})
      and (status <> 'pending' or expires_at <= ${overBy} or id = any(${uuidList(strangers)}))`.execute(db)
  return rows
}

/** The open code that an invoice has for its whole life, which its bank has made. */
export async function findOpenCode(
  db: Db,
  pageId: string,
): Promise<{ txid: string; pixCode: string; provider: string } | null> {
  const { rows } = await sql<{ txid: string; pixCode: string; provider: string }>`
    select charge.txid, charge.pix_code as "pixCode", charge.provider
    from open_charges open join charges charge on charge.id = open.charge_id
    where open.page_id = ${pageId} and charge.status = 'pending' order by open.created_at desc limit 1`.execute(db)
  const [code] = rows
  return code === undefined || !isDueTxid(code.txid) ? null : code
}

/** The charge of a txid that an invoice has for its whole life. */
export async function findDueCharge(db: Db, txid: string): Promise<PageCharge | null> {
  const row = await db.selectFrom("charges").selectAll().where("txid", "=", txid).executeTakeFirst()
  return row === undefined || row.page_id === null ? null : toPageCharge(row)
}

/** Whether an open code of the page ends by then. */
export async function hasCodeEndingBy(db: Db, pageId: string, moment: Date): Promise<boolean> {
  const row = await db
    .selectFrom("open_charges")
    .select("charge_id")
    .where("page_id", "=", pageId)
    .where("expires_at", "<=", moment)
    .executeTakeFirst()
  return row !== undefined
}

/** Codes of the page that ended without money, but for those that never came into being. */
export async function countEndedCodes(db: Db, pageId: string): Promise<number> {
  const row = await db
    .selectFrom("charges")
    .select((charge) => charge.fn.countAll<number>().as("count"))
    .where("page_id", "=", pageId)
    .where("closed_as", "in", ["expired", "cancelled"])
    .executeTakeFirstOrThrow()
  return row.count
}
