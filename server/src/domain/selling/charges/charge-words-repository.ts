import { type RawBuilder, type SqlBool, sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import { lookup } from "#db/sql-part"

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
  const parts = [
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
  if (idLike.test(words)) parts.push(...idsBegun(words), idsWithFragment({ words, sellerId }))
  return sql.join(parts, sql` union all `)
}

/** The same condition for one row, which the query names `charge`. */
export function holdsWords({ words, sellerId }: Words): RawBuilder<SqlBool> {
  const pattern = foldedPattern(words)
  const parts = [
    sql`charge_wording(charge) like ${pattern}`,
    sql`fold_text(charge.payer_name) like ${pattern}`,
    sql`(select reference_text like ${pattern} from orders where ${lookup("page_id", "charge.page_id")})`,
  ]
  if (idLike.test(words)) {
    parts.push(
      sql`(select bool_or(folded like ${pattern}) from charge_search_texts where charge_id = charge.id)`,
      sql`lower(charge.txid) like ${begunLike(words)}`,
      sql`lower(charge.end_to_end_id) like ${begunLike(words)}`,
      sql`(${holdsFragment(words)} and charge.created_at >= ${fragmentsSince(sellerId)})`,
    )
  }
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
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
