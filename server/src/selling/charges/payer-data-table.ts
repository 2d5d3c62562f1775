import { type RawBuilder, type SqlBool, sql } from "kysely"
import { textList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Mark, Passed } from "#platform/retention/retention"
import type { PayerData } from "./rules.ts"

interface Reading {
  after: Mark
  createdBefore: Date
  limit: number
}

interface PassedCharges extends Passed {
  /** Those that still say who paid. */
  withPayer: string[]
}

const hasPayer = sql<SqlBool>`
  coalesce(charge.payer_name, charge.payer_email, charge.payer_document, charge.payer_phone) is not null`

/** The next charges behind the mark, in the order of their time. */
export async function findNextCharges(tx: Tx, { after, createdBefore, limit }: Reading): Promise<PassedCharges> {
  const { rows } = await sql<Mark & { has_payer: boolean }>`
    select charge.id, charge.created_at::text as moment, ${hasPayer} as has_payer from charges charge
    where (charge.created_at, charge.id) > (${after.moment}::timestamptz, ${after.id}::uuid)
      and charge.created_at < ${createdBefore}
    order by charge.created_at, charge.id limit ${limit}`.execute(tx)
  const last = rows.at(-1)
  return {
    count: rows.length,
    last: last === undefined ? null : { moment: last.moment, id: last.id },
    withPayer: rows.filter((row) => row.has_payer).map(({ id }) => id),
  }
}

/** The money of a charge: what paid it, and what came for it and could not be credited. */
const itsMoney = sql`(
  select charge.end_to_end_id as id where charge.end_to_end_id is not null
  union all
  select payment.end_to_end_id from payments payment
  where payment.charge_id = charge.id and payment.disposition = 'suspense'
) money`

/** People who refund, defend or check a payment may have to reach the payer. Null means that only what is open counts. */
function isOver(before: Date | null): RawBuilder<SqlBool> {
  const youngerThan = (column: string) =>
    before === null ? sql`false` : sql`coalesce(${sql.ref(column)} >= ${before}, false)`
  return sql<SqlBool>`
    charge.status not in ('creating', 'pending') and not ${youngerThan("charge.updated_at")}
    and not exists (
      select from ${itsMoney}
      where exists (
        select from disputes dispute where dispute.end_to_end_id = money.id
          and (dispute.settled_at is null or ${youngerThan("dispute.updated_at")})
      ) or exists (
        select from refunds refund where refund.end_to_end_id = money.id
          and (refund.status = 'processing' or ${youngerThan("refund.processed_at")})
      ) or exists (
        select from unmatched_payments unmatched where unmatched.end_to_end_id = money.id
          and (unmatched.status in ('open', 'returning') or ${youngerThan("unmatched.decided_at")})
      )
    )`
}

export interface Erasing {
  now: Date
  /** Null where the payer asked for it: then no event of the charge is too recent. */
  quietSince: Date | null
}

/**
 * Erases the payers of those charges that are over, and returns these. Locked ones are left for later. The update moves no
 * `updated_at`, as nothing happened to the charge.
 */
export async function erasePayerRows(tx: Tx, ids: readonly string[], { now, quietSince }: Erasing): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    with over as materialized (
      select charge.id from charges charge
      where charge.id = any(${[...ids]}::uuid[]) and ${isOver(quietSince)}
      order by charge.id::text for update of charge skip locked
    )
    update charges charge
    set payer_name = null, payer_email = null, payer_document = null, payer_phone = null, request_hash = null,
      payer_erased_at = ${now}
    from over where charge.id = over.id and ${hasPayer}
    returning charge.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Checked again at this moment, unless they are waiting already. */
export async function insertWaiting(tx: Tx, ids: readonly string[], checkAt: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into payer_data_waiting (charge_id, look_at)
    select id, ${checkAt} from unnest(${[...ids]}::uuid[]) given (id) order by id::text
    on conflict (charge_id) do nothing`.execute(tx)
}

/** Locks those to check again, so that no other server checks them in the meantime. */
export async function lockWaiting(tx: Tx, now: Date, limit: number): Promise<{ id: string; isRequested: boolean }[]> {
  const { rows } = await sql<{ id: string; isRequested: boolean }>`
    select charge_id as id, asked_at is not null as "isRequested" from payer_data_waiting where look_at <= ${now}
    order by look_at limit ${limit} for update skip locked`.execute(tx)
  return rows
}

export async function deleteWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from payer_data_waiting where charge_id = any(${[...ids]}::uuid[])`.execute(tx)
}

export async function updateWaiting(tx: Tx, ids: readonly string[], checkAt: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`update payer_data_waiting set look_at = ${checkAt} where charge_id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** Those that hold nothing of their payer any more, however that came. */
export async function findWithoutPayer(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select charge.id from charges charge where charge.id = any(${[...ids]}::uuid[]) and not ${hasPayer}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The caller must have locked the row. The request's hash is made of the data, and goes with those that were wrong. */
export async function updatePayer(tx: Tx, id: string, { name, email, cpf, cnpj, phone }: PayerData): Promise<void> {
  await tx
    .updateTable("charges")
    .set({ payer_name: name, payer_email: email, payer_document: cpf ?? cnpj, payer_phone: phone, request_hash: null })
    .where("id", "=", id)
    .execute()
}

/** Keeps the names for sales at the counter alone, whose payers type nothing. A name that is there stays, and so does an erasure. */
export async function nameCounterPayers(tx: Tx, named: readonly { txid: string; name: string }[]): Promise<void> {
  await sql`
    update charges charge set payer_name = given.name
    from unnest(${textList(named.map(({ txid }) => txid))}, ${textList(named.map(({ name }) => name))}) given (txid, name)
    where charge.txid = given.txid and charge.paid_at is not null and charge.payer_name is null
      and charge.payer_erased_at is null and exists (select from counter_sales where charge_id = charge.id)`.execute(tx)
}

export async function findRequestedAt(db: Db, chargeId: string): Promise<Date | null> {
  const query = db.selectFrom("payer_data_waiting").select("asked_at").where("charge_id", "=", chargeId)
  return (await query.executeTakeFirst())?.asked_at ?? null
}

/** False when the payer had asked before. */
export async function insertRequestedErasure(
  tx: Tx,
  chargeId: string,
  { now, checkAt }: { now: Date; checkAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into payer_data_waiting as waiting (charge_id, look_at, asked_at) values (${chargeId}, ${checkAt}, ${now})
    on conflict (charge_id) do update set look_at = excluded.look_at, asked_at = excluded.asked_at
    where waiting.asked_at is null
    returning charge_id`.execute(tx)
  return rows.length > 0
}

/** The database's own key, made with it. */
export async function readPayerTokenKey(db: Db): Promise<Buffer> {
  return (await db.selectFrom("payer_token_key").select("key").executeTakeFirstOrThrow()).key
}
