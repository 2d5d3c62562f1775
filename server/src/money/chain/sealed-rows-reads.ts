import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/errors"

/** A row as it is sealed: docs/chain.md describes the text. */
interface SealedRow {
  /** Its table's `letter`, a colon, and its primary key: docs/chain.md lists them. */
  key: string
  /** A JSON array: the table's name, then each column that never changes. */
  text: string
  /** When it was written, by the clock of the server that wrote it; null where nothing of money or people is dated by it. */
  writtenAt: Date | null
}

/** A row of today, with the transaction that it claims. */
export interface PresentRow extends SealedRow {
  xid: string
}

interface SealedTable {
  letter: string
  name: string
  key: RawBuilder<string>
  columns: RawBuilder<unknown>[]
  writtenAt: RawBuilder<unknown>
  /** The rows with these primary keys. */
  withKeys(keys: string[]): RawBuilder<boolean>
  /** The order of its primary key. */
  order: RawBuilder<unknown>
  after(key: string): RawBuilder<boolean>
}

const column = (name: string) => sql.ref(`item.${name}`)
const columns = (...names: string[]) => names.map(column)
/** Microseconds since 1970, which no session's time zone changes. */
const moment = (name: string) => sql`(extract(epoch from ${column(name)}) * 1000000)::bigint`

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const byId = {
  key: sql<string>`item.id::text`,
  writtenAt: column("created_at"),
  withKeys: (keys: string[]) => sql<boolean>`item.id = any (${keys.filter((key) => uuid.test(key))}::uuid[])`,
  order: sql`item.id`,
  after: (key: string) => sql<boolean>`item.id > ${key}::uuid`,
}

const journalKey = /^([^/]+)\/(.*)\/(\d{1,9})$/s

function journalKeysOf(keys: readonly string[]) {
  return keys.flatMap((key) => {
    const [, kind, reference, line] = journalKey.exec(key) ?? []
    return kind === undefined || reference === undefined ? [] : [{ kind, reference, line: Number(line) }]
  })
}

const payments: SealedTable = {
  letter: "p",
  name: "payments",
  key: sql<string>`item.end_to_end_id`,
  columns: [
    ...columns("end_to_end_id", "provider", "txid", "charge_id", "seller_id", "amount_cents", "fee_cents"),
    moment("paid_at"),
    moment("received_at"),
    ...columns("disposition", "reason", "page_id", "completed_page_id", "charge_day", "status_before"),
  ],
  writtenAt: column("received_at"),
  withKeys: (keys) => sql<boolean>`item.end_to_end_id = any (${keys}::text[])`,
  order: sql`item.end_to_end_id`,
  after: (key) => sql<boolean>`item.end_to_end_id > ${key}`,
}

const journal: SealedTable = {
  letter: "j",
  name: "journal",
  key: sql<string>`item.kind || '/' || item.reference || '/' || item.line`,
  columns: [
    ...columns("kind", "reference", "line", "may_overdraw", "seller_id", "debit_account", "credit_account"),
    column("amount_cents"),
    moment("occurred_at"),
    moment("booked_at"),
    column("number"),
  ],
  writtenAt: column("booked_at"),
  order: sql`item.kind, item.reference, item.line`,
  after(key) {
    const [last] = journalKeysOf([key])
    return sql<boolean>`(item.kind, item.reference, item.line) > (${last?.kind}, ${last?.reference}, ${last?.line}::integer)`
  },
  withKeys(keys) {
    const wanted = journalKeysOf(keys)
    const [kinds, references] = [wanted.map(({ kind }) => kind), wanted.map(({ reference }) => reference)]
    return sql<boolean>`(item.kind, item.reference, item.line) in (
      select * from unnest(${kinds}::text[], ${references}::text[], ${wanted.map(({ line }) => line)}::integer[])
    )`
  },
}

const auditRecords: SealedTable = {
  ...byId,
  letter: "a",
  name: "audit_records",
  writtenAt: column("happened_at"),
  columns: [
    column("id"),
    moment("happened_at"),
    ...columns("actor_id", "actor_key_id", "action", "entity", "entity_id", "before", "after", "request_id"),
  ],
}

const withdrawals: SealedTable = {
  ...byId,
  letter: "w",
  name: "withdrawals",
  columns: [
    ...columns("id", "seller_id", "amount_cents", "method", "pix_key", "pix_key_kind", "bank_data", "payout_id"),
    moment("created_at"),
    column("api_key_id"),
  ],
}

const refunds: SealedTable = {
  ...byId,
  letter: "r",
  name: "refunds",
  columns: [
    ...columns("id", "end_to_end_id", "provider", "charge_id", "seller_id", "amount_cents", "fee_cents", "origin"),
    ...columns("reason", "requested_by", "is_dispute"),
    moment("created_at"),
  ],
}

const manualEntries: SealedTable = {
  ...byId,
  letter: "m",
  name: "manual_entries",
  columns: [
    ...columns("id", "kind", "direction", "amount_cents", "provider", "seller_id", "reason", "reference", "reverses"),
    column("created_by"),
    moment("created_at"),
  ],
}

const undated = sql`null::timestamptz`

const checkpoints: SealedTable = {
  letter: "c",
  name: "chain_checkpoints",
  key: sql<string>`item.day::text`,
  columns: [sql`item.day::text`, column("note"), moment("signed_at")],
  writtenAt: undated,
  withKeys: (keys) => sql<boolean>`item.day::text = any (${keys}::text[])`,
  order: sql`item.day`,
  after: (key) => sql<boolean>`item.day > ${key}::date`,
}

const recordedStates: SealedTable = {
  letter: "s",
  name: "recorded_states",
  key: sql<string>`item.id::text`,
  columns: [...columns("id", "subject", "digest"), moment("recorded_at"), column("made_by")],
  writtenAt: undated,
  withKeys: (keys) => sql<boolean>`item.id = any (${keys.filter((key) => /^\d{1,18}$/.test(key))}::bigint[])`,
  order: sql`item.id`,
  after: (key) => sql<boolean>`item.id > ${key}::bigint`,
}

/** Their letters are in the order in which the rows of one transaction are sealed. */
const sealedTables: readonly SealedTable[] = [
  ...[auditRecords, checkpoints, journal, manualEntries, payments, refunds, recordedStates, withdrawals],
]

/** Null for a key of no table: somebody changed the block. */
export function tableOf(key: string): string | null {
  return sealedTables.find(({ letter }) => letter === key[0])?.name ?? null
}

function rowsOf(table: SealedTable, condition: RawBuilder<boolean>): RawBuilder<unknown> {
  const texts = sql.join([sql.lit(table.name), ...table.columns])
  return sql`
    select
      item.xid, ${sql.lit(table.letter)} || ':' || ${table.key} as key, json_build_array(${texts})::text as text,
      ${table.writtenAt} as written_at
    from ${sql.table(table.name)} item where ${condition}`
}

function fromAll(select: (table: SealedTable) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(sealedTables.map(select), sql` union all `)
}

/**
 * The last transaction of the next rows, about so many, whole transactions only; null where nothing waits. All transactions
 * below the oldest that is under way have ended, so none commits later with a smaller id.
 */
export async function findSealable(db: Db, until: string, atMost: number): Promise<string | null> {
  const waiting = fromAll(
    ({ name }) => sql`(
      select xid from ${sql.table(name)}
      where xid > ${until}::xid8 and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid limit ${atMost}
    )`,
  )
  const { rows } = await sql<{ last: string | null }>`
    select max(xid)::text as last from (select xid from (${waiting}) waiting order by xid limit ${atMost}) oldest
  `.execute(db)
  return rows[0]?.last ?? null
}

/** Rows as a block keeps them. */
export interface UnsealedRows {
  rowCount: number
  /** The literal of a PostgreSQL array, which goes back to it as it came. */
  keyArray: string
  /** One after another, the leaves of the block's tree. */
  hashes: Buffer
  /** The moments of the first booking and of the last, rounded up; null where there is none. Payments and the journal book. */
  firstAt: Date | null
  lastAt: Date | null
}

/**
 * The rows of these transactions, in the order in which they are sealed. PostgreSQL hashes them, as kit/merkle's `leafHash` does:
 * their texts on the way to us would cost more than all the rest of sealing.
 */
export async function readUnsealed(db: Db, { until, last }: { until: string; last: string }): Promise<UnsealedRows> {
  const range = sql<boolean>`item.xid > ${until}::xid8 and item.xid <= ${last}::xid8`
  const { rows } = await sql<UnsealedRows>`
    select count(*)::integer as "rowCount",
      coalesce(array_agg(key), '{}')::text as "keyArray",
      coalesce(string_agg(sha256('\\x00'::bytea || convert_to(text, 'UTF8')), ''), '') as hashes,
      min(written_at) filter (where is_booking) as "firstAt",
      max(written_at) filter (where is_booking) + interval '1 millisecond' as "lastAt"
    from (
      select key, text, written_at, left(key, 2) in ('p:', 'j:') as is_booking
      from (${fromAll((table) => rowsOf(table, range))}) item
      order by xid, key collate "C"
    ) ordered`.execute(db)
  const [unsealed] = rows
  invariant(unsealed !== undefined, "an aggregate returned no row")
  return unsealed
}

/** Today's rows with these keys, as they would be sealed. */
export async function readRows(db: Db, keys: readonly string[]): Promise<PresentRow[]> {
  const found: PresentRow[] = []
  for (const table of sealedTables) {
    const own = keys.filter((key) => key.startsWith(`${table.letter}:`)).map((key) => key.slice(2))
    if (own.length === 0) continue
    const { rows } = await sql<PresentRow>`
      select key, text, written_at as "writtenAt", xid::text from (${rowsOf(table, table.withKeys(own))}) item`.execute(
      db,
    )
    found.push(...rows)
  }
  return found
}

interface OldRowsQuery {
  /** The last transaction that is sealed. */
  until: string
  /** Rows before it are old, and so are none that were written this recently. */
  before: Date
  recentSeconds: number
  limit: number
}

/** Rows that wait to be sealed and say that they are older than the rows that are. */
export async function findOldUnsealed(
  db: Db,
  { until, before, recentSeconds, limit }: OldRowsQuery,
): Promise<{ key: string; writtenAt: Date }[]> {
  const isOld = ({ writtenAt }: SealedTable) => sql<boolean>`
    item.xid > ${until}::xid8 and item.xid < pg_snapshot_xmax(pg_current_snapshot())
    and ${writtenAt} < least(${before}::timestamptz, now() - ${recentSeconds}::integer * interval '1 second')`
  const { rows } = await sql<{ key: string; writtenAt: Date }>`
    select key, written_at as "writtenAt" from (${fromAll((table) => rowsOf(table, isOld(table)))}) item
    order by key collate "C" limit ${limit}`.execute(db)
  return rows
}

/** Rows that should be sealed: those up to this transaction, and those that claim one that never was. */
export async function countSealedRows(db: Db, until: string): Promise<number> {
  const counts = fromAll(({ name }) => sql`select count(*) as count from ${sql.table(name)} where ${isSealed(until)}`)
  const { rows } = await sql<{ count: string }>`select sum(count)::text as count from (${counts}) counts`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

function isSealed(until: string): RawBuilder<boolean> {
  return sql<boolean>`(xid <= ${until}::xid8 or xid >= pg_snapshot_xmax(pg_current_snapshot()))`
}

export const sealedTableNames = sealedTables.map(({ name }) => name)

/** Keys of one table in the order of its primary key, page by page. */
export async function readKeys(
  db: Db,
  { name, until, after, limit }: { name: string; until: string; after: string | null; limit: number },
): Promise<string[]> {
  const table = sealedTables.find((each) => each.name === name)
  if (table === undefined) return []
  const isFurther = after === null ? sql<boolean>`true` : table.after(after.slice(2))
  const { rows } = await sql<{ key: string }>`
    select ${sql.lit(table.letter)} || ':' || ${table.key} as key from ${sql.table(table.name)} item
    where ${isSealed(until)} and ${isFurther} order by ${table.order} limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Keys of the postings of these events that move an account, with the change of each. */
export async function readPostingKeys(
  db: Db,
  account: string,
  events: readonly { kind: string; reference: string }[],
): Promise<{ key: string; kind: string; reference: string; amountCents: number }[]> {
  const [kinds, references] = [events.map(({ kind }) => kind), events.map(({ reference }) => reference)]
  const { rows } = await sql<{ key: string; kind: string; reference: string; amountCents: number }>`
    select 'j:' || ${journal.key} as key, item.kind, item.reference,
      case when item.credit_account = ${account} then item.amount_cents else -item.amount_cents end as "amountCents"
    from journal item
    where (item.kind, item.reference) in (select * from unnest(${kinds}::text[], ${references}::text[]))
      and ${account} in (item.credit_account, item.debit_account)`.execute(db)
  return rows
}
