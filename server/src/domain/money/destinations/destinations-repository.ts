import type { DestinationProof } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { type Selectable, sql } from "kysely"
import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { jsonb, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { Destination } from "#domain/money/withdrawals/withdrawal"
import { invariant } from "#kit/invariant"
import { targetOf } from "./target.ts"

export interface UsedDestination {
  id: string
  sellerId: string
  destination: Destination
  firstUsedAt: Date
  lastUsedAt: Date
  confirmedBy: DestinationProof | null
}

const usedRows = rowsOf<UsedDestination, NewRow<"destinations", "removed_at">>("used", {
  id: uuid(({ id }) => id),
  seller_id: uuid(({ sellerId }) => sellerId),
  target: text(({ destination }) => targetOf(destination)),
  method: text(({ destination }) => destination.method),
  pix_key: text(({ destination }) => (destination.method === "pix" ? destination.pixKey.key : null)),
  pix_key_kind: text(({ destination }) => (destination.method === "pix" ? destination.pixKey.kind : null)),
  bank_data: jsonb(({ destination }) =>
    destination.method === "bank_transfer" ? JSON.stringify(destination.bankData) : null,
  ),
  first_used_at: timestamptz(({ firstUsedAt }) => firstUsedAt),
  last_used_at: timestamptz(({ lastUsedAt }) => lastUsedAt),
  confirmed_by: text(({ confirmedBy }) => confirmedBy),
})

/** Each seller and target once. A known one is only used again, a removed one begins anew. */
export async function saveUses(tx: Tx, uses: readonly UsedDestination[]): Promise<void> {
  await prepared("save-destination-uses")`
    insert into destinations (${usedRows.columns}) select * from ${usedRows.of(uses)}
    on conflict (seller_id, target) do update
    set last_used_at = greatest(destinations.last_used_at, excluded.last_used_at),
      first_used_at = case when destinations.first_used_at <= destinations.removed_at
        then excluded.first_used_at else destinations.first_used_at end,
      confirmed_by = case when destinations.first_used_at <= destinations.removed_at
        then excluded.confirmed_by else destinations.confirmed_by end`.execute(tx)
}

const asked = rowsOf<{ sellerId: string; target: string }, { seller_id: string; target: string }>("asked", {
  seller_id: uuid(({ sellerId }) => sellerId),
  target: text(({ target }) => target),
})

export async function findFirstUses(
  db: Db,
  wanted: readonly { sellerId: string; target: string }[],
): Promise<{ sellerId: string; target: string; firstUsedAt: Date }[]> {
  const { rows } = await prepared<{ sellerId: string; target: string; firstUsedAt: Date }>("first-destination-uses")`
    select known.seller_id as "sellerId", known.target, known.first_used_at as "firstUsedAt"
    from ${asked.of(wanted)}
    cross join lateral (
      select * from destinations
      where seller_id = asked.seller_id and target = asked.target and (first_used_at <= removed_at) is not true
    ) known`.execute(db)
  return rows
}

/** Not removed, or used again since. */
const isTrusted = sql<boolean>`(first_used_at <= removed_at) is not true`

/** More than a hundred belong to a program, and nobody reads on. */
const LISTED = 100

export async function listRows(db: Db, sellerId: string): Promise<UsedDestination[]> {
  const query = db.selectFrom("destinations").selectAll().where("seller_id", "=", sellerId)
  const trusted = query.where(isTrusted)
  const rows = await trusted.orderBy("last_used_at", "desc").orderBy("id", "desc").limit(LISTED).execute()
  return rows.map(toUsed)
}

interface Removed {
  usedSince: Date
  now: Date
}

/** Removes those first used since then, and those where no withdrawal was ever paid. */
export async function removeDoubtful(tx: Tx, sellerId: string, { usedSince, now }: Removed): Promise<void> {
  await sql`
    update destinations set removed_at = ${now}
    where seller_id = ${sellerId} and ${isTrusted} and (
      first_used_at >= ${usedSince}
      or not exists (
        select from withdrawals paid
        where paid.seller_id = destinations.seller_id and paid.status = 'completed'
          and paid.pix_key is not distinct from destinations.pix_key
          and paid.bank_data is not distinct from destinations.bank_data
      )
    )`.execute(tx)
}

/** Null when it isn't the seller's, or was removed before, also by a concurrent request. */
export async function removeRow(
  tx: Tx,
  { id, sellerId, now }: { id: string; sellerId: string; now: Date },
): Promise<UsedDestination | null> {
  const row = await tx
    .updateTable("destinations")
    .set({ removed_at: now })
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where(isTrusted)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toUsed(row)
}

function toUsed(row: Selectable<Schema["destinations"]>): UsedDestination {
  return {
    id: row.id,
    sellerId: row.seller_id,
    destination: destinationOf(row),
    firstUsedAt: row.first_used_at,
    lastUsedAt: row.last_used_at,
    confirmedBy: row.confirmed_by,
  }
}

function destinationOf({ pix_key, pix_key_kind, bank_data, id }: Selectable<Schema["destinations"]>): Destination {
  if (pix_key !== null && pix_key_kind !== null) {
    return { method: "pix", pixKey: { kind: pix_key_kind, key: pix_key } }
  }
  invariant(bank_data !== null, `destination ${id} leads nowhere`)
  return { method: "bank_transfer", bankData: bank_data }
}

export async function deleteAllOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("destinations").where("seller_id", "=", sellerId).execute()
}
