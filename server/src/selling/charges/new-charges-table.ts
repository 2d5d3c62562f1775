import { payablePageStatuses } from "@tilinta/contract/vocabulary/charge-pages"
import { failedStatuses } from "@tilinta/contract/vocabulary/transactions"
import { type Selectable, sql } from "kysely"
import { lookup, prepared, wordList } from "#db/prepared"
import { bigint, bytea, type ChangedRow, type NewRow, rowsOf, text, timestamptz, uuid, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import { type Db, type OneStatement, oneStatement, type Tx } from "#db/transaction"
import { feeColumnsOfDraft } from "#selling/charge-pages/fee-columns"
import { toPageCharge } from "./reads.ts"
import type { PageCharge } from "./rules.ts"

type Row = Selectable<Schema["charges"]>

/** A draft has no Pix code yet, and nothing became of it. */
type Later =
  | "refunded_cents"
  | "refunded_fee_cents"
  | "pix_code"
  | "opened_at"
  | "payer_erased_at"
  | "end_to_end_id"
  | "paid_at"
  | "is_late"
  | "is_duplicate"
  | "removal"
  | "removal_not_before"
  | "asked_for"
  | "updated_at"

const drafts = rowsOf<PageCharge, NewRow<"charges", Later>>("draft", {
  id: uuid(({ id }) => id),
  seller_id: uuid(({ sellerId }) => sellerId),
  page_id: uuid(({ pageId }) => pageId),
  txid: text(({ txid }) => txid),
  provider: text(({ provider }) => provider),
  status: text(({ status }) => status),
  amount_cents: bigint(({ amountCents }) => amountCents),
  ...feeColumnsOfDraft,
  fee_cents: bigint(({ feeCents }) => feeCents),
  net_cents: bigint(({ netCents }) => netCents),
  page_title: text(({ pageTitle }) => pageTitle),
  description: text(({ description }) => description),
  expires_at: timestamptz(({ expiresAt }) => expiresAt),
  payer_name: text(({ payer }) => payer.name),
  payer_email: text(({ payer }) => payer.email),
  payer_document: text(({ payer }) => payer.cpf ?? payer.cnpj),
  payer_phone: text(({ payer }) => payer.phone),
  idempotency_key: text(({ idempotencyKey }) => idempotencyKey),
  request_hash: bytea(({ requestHash }) => requestHash),
  created_at: timestamptz(({ createdAt }) => createdAt),
})

/**
 * Ids of the stored drafts. The others exist already, under their own id or their page's idempotency key, or the key
 * stands for a code that was shown again, or their page takes no more charges. One statement, which locks sellers before pages, like an inactivation, which then closes every
 * earlier charge. Sorted by key, so that batches can't deadlock.
 */
export function insertChargesOnce(charges: readonly PageCharge[]): OneStatement<Set<string>> {
  return oneStatement(
    prepared<{ id: string }>("insert-charges-once")`
    with seller as materialized (
      select id from users where id = any(${uuidList(charges.map(({ sellerId }) => sellerId))}) and active
      order by id::text for share
    ), page as materialized (
      select id, amount_cents, max_amount_cents, status, expires_at from charge_pages
      where id = any(${uuidList(charges.map(({ pageId }) => pageId))}) and deleted_at is null
        and suspended_at is null and seller_id in (select id from seller)
      order by id::text for share
    )
    insert into charges (${drafts.columns}, updated_at)
    select draft.*, draft.created_at from ${drafts.of(charges)}
    join page on page.id = draft.page_id and draft.amount_cents between page.amount_cents and coalesce(page.max_amount_cents, page.amount_cents)
      and page.status in ${wordList(payablePageStatuses)}
      and (page.expires_at is null or page.expires_at > draft.created_at)
    where not exists (
      select from idempotency_keys
      where ${lookup("owner_id", "draft.page_id")} and ${lookup("key", "draft.idempotency_key")}
    )
    order by draft.page_id, draft.idempotency_key, draft.id
    on conflict do nothing returning id`,
    idsOf,
  )
}

export async function insertCounterSale(
  tx: Tx,
  { id, sellerId, createdAt }: PageCharge,
  soldBy: string,
): Promise<void> {
  await tx
    .insertInto("counter_sales")
    .values({
      charge_id: id,
      seller_id: sellerId,
      sold_by: soldBy,
      created_at: createdAt,
    } satisfies NewRow<"counter_sales", "shift_id">)
    .execute()
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}

export interface KeyOfPage {
  pageId: string
  key: string
}

const requestedKeys = rowsOf<KeyOfPage, { page_id: string; key: string }>("asked", {
  page_id: uuid(({ pageId }) => pageId),
  key: text(({ key }) => key),
})

/** As the unique index has it. */
const keyLookup = lookup("(case when closed_as is distinct from 'failed' then idempotency_key end)", "asked.key")

/** The charge that each key created, or stands for since a code was shown again, under the key that was asked for. */
export async function findChargesByKeys(db: Db, keys: readonly KeyOfPage[]): Promise<PageCharge[]> {
  const { rows: found } = await prepared<{ id: string; key: string }>("find-charges-by-keys")`
    select charge.id, asked.key
    from ${requestedKeys.of(keys)}
    cross join lateral (
      select id from charges
      where ${lookup("page_id", "asked.page_id")}
        and ${keyLookup}
      union all
      select resource_id from idempotency_keys
      where ${lookup("owner_id", "asked.page_id")} and ${lookup("key", "asked.key")}
    ) charge`.execute(db)
  // Nearly every key is new, so charges are read only for keys that were found.
  if (found.length === 0) return []
  const { rows } = await sql<Row>`
    select * from charges
    where id = any(${found.map(({ id }) => id)}::uuid[]) and status not in ${wordList(failedStatuses)}`.execute(db)
  const charges = new Map(rows.map((row) => [row.id, toPageCharge(row)]))
  return found.flatMap(({ id, key }) => {
    const charge = charges.get(id)
    return charge === undefined ? [] : [{ ...charge, idempotencyKey: key }]
  })
}

interface Opening {
  id: string
  pageId: string
  pixCode: string
  openedAt: Date
}

type Opened = Pick<ChangedRow<"charges">, "id" | "page_id" | "pix_code" | "opened_at">

const openings = rowsOf<Opening, Opened>("opening", {
  id: uuid(({ id }) => id),
  page_id: uuid(({ pageId }) => pageId),
  pix_code: text(({ pixCode }) => pixCode),
  opened_at: timestamptz(({ openedAt }) => openedAt),
})

/**
 * Opens the charges of active pages, and returns the ids of those that were not ended meanwhile. Locks all of them in
 * one order, also those that it leaves alone.
 */
export function markChargesOpen(opened: readonly Opening[]): OneStatement<Set<string>> {
  // Sorted by id, so that batches can't deadlock.
  const sorted = opened.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return oneStatement(
    prepared<{ id: string }>("mark-charges-open")`
    with page as materialized (
      select id, expires_at from charge_pages
      where id = any(${uuidList(sorted.map(({ pageId }) => pageId))}) and deleted_at is null
        and suspended_at is null and status in ${wordList(payablePageStatuses)}
      order by id::text for share
    ), wanted as materialized (
      select opening.*, page.id is not null as is_payable from ${openings.of(sorted)}
      left join page on page.id = opening.page_id and (page.expires_at is null or page.expires_at > opening.opened_at)
      order by opening.id::text
    ), held as (
      select charge.id, opening.pix_code, opening.opened_at
      from wanted opening
      cross join lateral (
        select id, status = 'creating' and opening.is_payable as opens from charges
        where ${lookup("id", "opening.id")} offset 0 for update
      ) charge
      where charge.opens
    )
    update charges charge
    set status = 'pending', pix_code = held.pix_code, opened_at = held.opened_at, updated_at = held.opened_at
    from held where ${lookup("charge.id", "held.id")} returning charge.id`,
    idsOf,
  )
}

/** The number of folded changes, at most `limit`. */
export async function foldChargeChangeRows(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_charge_changes(${limit}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}
