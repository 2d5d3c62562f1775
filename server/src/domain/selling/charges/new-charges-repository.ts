import { type Selectable, sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import { type OneStatement, oneStatement } from "#db/one-statement"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { AskedCharge } from "./charge.ts"
import { toAskedCharge } from "./charges-repository.ts"

type Value = string | number | Date | null
type Row = Selectable<Schema["charges"]>

/**
 * Ids of the stored drafts. The others exist already, under their own id or their page's idempotency key, or their page
 * takes no more charges. One statement, which locks sellers before pages, like an inactivation, which then closes every
 * earlier charge. Sorted by key, so that batches can't deadlock.
 */
export function insertChargesOnce(charges: readonly AskedCharge[]): OneStatement<Set<string>> {
  const all = (read: (charge: AskedCharge) => Value): string => arrayLiteral(charges.map(read))
  return oneStatement(
    sql<{ id: string }>`/* prepared insert-charges-once */
    with seller as materialized (
      select id from users where id = any(${all((charge) => charge.sellerId)}::uuid[]) and active
      order by id::text for share
    ), page as materialized (
      select id, amount_cents, status, expires_at from charge_pages
      where id = any(${all((charge) => charge.pageId)}::uuid[]) and deleted_at is null
        and seller_id in (select id from seller)
      order by id::text for share
    )
    insert into charges (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
      description, expires_at, payer_name, payer_email, payer_cpf, payer_phone, idempotency_key, request_hash,
      created_at, updated_at
    )
    select draft.*, draft.created_at from unnest(
      ${all((charge) => charge.id)}::uuid[], ${all((charge) => charge.sellerId)}::uuid[],
      ${all((charge) => charge.pageId)}::uuid[], ${all((charge) => charge.txid)}::text[],
      ${all((charge) => charge.provider)}::text[], ${all((charge) => charge.status)}::text[],
      ${all((charge) => charge.amountCents)}::bigint[], ${all((charge) => charge.feeBasisPoints)}::integer[],
      ${all((charge) => charge.feeCents)}::bigint[], ${all((charge) => charge.netCents)}::bigint[],
      ${all((charge) => charge.pageTitle)}::text[], ${all((charge) => charge.description)}::text[],
      ${all((charge) => charge.expiresAt)}::timestamptz[], ${all((charge) => charge.payer.name)}::text[],
      ${all((charge) => charge.payer.email)}::text[], ${all((charge) => charge.payer.cpf)}::text[],
      ${all((charge) => charge.payer.phone)}::text[], ${all((charge) => charge.idempotencyKey)}::text[],
      ${all((charge) => hexOf(charge.requestHash))}::bytea[], ${all((charge) => charge.createdAt)}::timestamptz[]
    ) as draft (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
      description, expires_at, payer_name, payer_email, payer_cpf, payer_phone, idempotency_key, request_hash,
      created_at
    )
    join page on page.id = draft.page_id and page.amount_cents = draft.amount_cents
      and page.status = 'active' and (page.expires_at is null or page.expires_at > draft.created_at)
    order by draft.page_id, draft.idempotency_key, draft.id
    on conflict do nothing returning id`,
    idsOf,
  )
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}

function hexOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : `\\x${bytes.toString("hex")}`
}

export interface KeyOfPage {
  pageId: string
  key: string
}

export async function findChargesByKeys(db: Db, keys: readonly KeyOfPage[]): Promise<AskedCharge[]> {
  const { rows: found } = await sql<{ id: string }>`/* prepared find-charges-by-keys */
    select charge.id
    from unnest(
      ${arrayLiteral(keys.map(({ pageId }) => pageId))}::uuid[], ${arrayLiteral(keys.map(({ key }) => key))}::text[]
    ) as asked (page_id, key)
    cross join lateral (
      select id from charges
      where page_id = any (array[asked.page_id])
        and (case when status <> 'failed' then idempotency_key end) = any (array[asked.key])
    ) charge`.execute(db)
  // Nearly every key is new, so charges are read only for keys that were found.
  if (found.length === 0) return []
  const { rows } = await sql<Row>`
    select * from charges where id = any(${found.map(({ id }) => id)}::uuid[]) and status <> 'failed'`.execute(db)
  return rows.map(toAskedCharge)
}

export interface Opening {
  id: string
  pageId: string
  pixCode: string
  openedAt: Date
}

/**
 * Opens the charges of active pages, and returns the ids of those that were not ended meanwhile. Locks all of them in
 * one order, also those that it leaves alone.
 */
export function markChargesOpen(openings: readonly Opening[]): OneStatement<Set<string>> {
  // Sorted by id, so that batches can't deadlock.
  const sorted = openings.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return oneStatement(
    sql<{ id: string }>`/* prepared mark-charges-open */
    with page as materialized (
      select id, expires_at from charge_pages
      where id = any(${arrayLiteral(sorted.map(({ pageId }) => pageId))}::uuid[]) and deleted_at is null
        and status = 'active'
      order by id::text for share
    ), wanted as materialized (
      select opening.*, page.id is not null as is_payable from unnest(
        ${arrayLiteral(sorted.map(({ id }) => id))}::uuid[], ${arrayLiteral(sorted.map(({ pageId }) => pageId))}::uuid[],
        ${arrayLiteral(sorted.map(({ pixCode }) => pixCode))}::text[],
        ${arrayLiteral(sorted.map(({ openedAt }) => openedAt))}::timestamptz[]
      ) as opening (id, page_id, pix_code, opened_at)
      left join page on page.id = opening.page_id and (page.expires_at is null or page.expires_at > opening.opened_at)
      order by opening.id::text
    ), held as (
      select charge.id, opening.pix_code, opening.opened_at
      from wanted opening
      cross join lateral (
        select id, status = 'creating' and opening.is_payable as opens from charges
        where id = any (array[opening.id]) offset 0 for update
      ) charge
      where charge.opens
    )
    update charges charge
    set status = 'pending', pix_code = held.pix_code, opened_at = held.opened_at, updated_at = held.opened_at
    from held where charge.id = any (array[held.id]) returning charge.id`,
    idsOf,
  )
}
