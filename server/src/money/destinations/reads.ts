import type { DestinationOwner, SaidOwner } from "@tilinta/contract/vocabulary/withdrawals"
import { type Selectable, sql } from "kysely"
import { uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { destinationOf } from "#money/withdrawals/reads"
import { sharedTargetOf, targetOf, type Withdrawal } from "#money/withdrawals/withdrawal"
import { findOwnCnpjs } from "#people/shops/reads"
import { isAuthentic } from "#platform/order-macs/macs"
import { readSetting } from "#platform/settings/reads"
import { documentOf, type OwnerWord, ownerOf, ownerOrder, type UsedDestination } from "./rules.ts"

/** Not removed, or used again since. */
export const isTrusted = sql<boolean>`(first_used_at <= removed_at) is not true`

/** More than a hundred belong to a program, and nobody reads on. */
const LISTED = 100

export async function listUsedDestinations(db: Db, sellerId: string): Promise<UsedDestination[]> {
  const query = db.selectFrom("destinations").selectAll().where("seller_id", "=", sellerId)
  const trusted = query.where(isTrusted)
  const rows = await trusted.orderBy("last_used_at", "desc").orderBy("id", "desc").limit(LISTED).execute()
  return rows.map(toUsedDestination)
}

export function toUsedDestination(row: Selectable<Schema["destinations"]>): UsedDestination {
  return {
    id: row.id,
    sellerId: row.seller_id,
    destination: destinationOf(row),
    firstUsedAt: row.first_used_at,
    lastUsedAt: row.last_used_at,
    confirmedBy: row.confirmed_by,
    saidOwner: saidOwnerOf(row),
  }
}

export interface SignedWord extends OwnerWord {
  mac: string | null
}

export function ownerWordOf(row: Selectable<Schema["destinations"]>): SignedWord {
  const { id, target, owner, owner_said_by: by, owner_said_at: at, owner_reason: reason, owner_mac: mac } = row
  return { id, sellerId: row.seller_id, target, firstUsedAt: row.first_used_at, owner, reason, by, at, mac }
}

/** A good word counts as this platform wrote it; distrust counts whoever wrote it. */
function saidOwnerOf(row: Selectable<Schema["destinations"]>): SaidOwner | null {
  if (row.owner === null || row.owner === "other") return row.owner
  const { mac, ...word } = ownerWordOf(row)
  return isAuthentic(ownerOrder(word), mac) ? row.owner : null
}

/** Null where it isn't the seller's, or was removed. */
export async function findTrustedDestination(
  db: Db,
  { id, sellerId }: Pick<UsedDestination, "id" | "sellerId">,
): Promise<UsedDestination | null> {
  const query = db.selectFrom("destinations").selectAll().where("id", "=", id).where("seller_id", "=", sellerId)
  const row = await query.where(isTrusted).executeTakeFirst()
  return row === undefined ? null : toUsedDestination(row)
}

export interface OwnedDestination {
  /** Null where the destination was never kept. */
  destinationId: string | null
  owner: DestinationOwner
}

type Owned = Pick<Withdrawal, "id" | "sellerId" | "destination" | "createdAt">

/**
 * By the withdrawal's id. Another's account stays so however its bank is spelled, and a CNPJ that became the seller's after the request
 * doesn't count for it.
 */
export async function findOwners(db: Db, withdrawals: readonly Owned[]): Promise<Map<string, OwnedDestination>> {
  if (withdrawals.length === 0) return new Map()
  const sellerIds = [...new Set(withdrawals.map(({ sellerId }) => sellerId))]
  const targets = withdrawals.map(({ destination }) => targetOf(destination))
  const { rows } = await sql<Selectable<Schema["destinations"]>>`
    select * from destinations
    where seller_id = any(${uuidList(sellerIds)}) and (target = any(${targets}::text[]) or owner = 'other')`.execute(db)
  const distrusted = new Set(
    rows.flatMap((row) => (row.owner === "other" ? [`${row.seller_id} ${sharedTargetOf(destinationOf(row))}`] : [])),
  )
  const known = new Map(rows.map((row) => [`${row.seller_id} ${row.target}`, row]))
  const identities = await findIdentities(db, withdrawals)
  return new Map(
    withdrawals.map(({ id, sellerId, destination, createdAt }) => {
      const row = known.get(`${sellerId} ${targetOf(destination)}`)
      const { cpf = "", company } = identities.get(sellerId) ?? {}
      const cnpj = company !== undefined && company.since <= createdAt ? company.cnpj : null
      const isDistrusted = distrusted.has(`${sellerId} ${sharedTargetOf(destination)}`)
      const said = isDistrusted ? "other" : row === undefined ? null : saidOwnerOf(row)
      const owner = ownerOf(destination, { cpf, cnpj }, said)
      return [id, { destinationId: row?.id ?? null, owner }]
    }),
  )
}

/** By the seller: only a key that is a document is compared with theirs. */
async function findIdentities(db: Db, withdrawals: readonly Owned[]) {
  const named = withdrawals.filter(({ destination }) => documentOf(destination) !== null)
  const ids = [...new Set(named.map(({ sellerId }) => sellerId))]
  if (ids.length === 0) return new Map<string, never>()
  const { rows } = await sql<{ id: string; cpf: string }>`
    select id, cpf from users where id = any(${uuidList(ids)})`.execute(db)
  const companies = await findOwnCnpjs(db, ids)
  return new Map(rows.map(({ id, cpf }) => [id, { cpf, company: companies.get(id) }]))
}

/** Ids of those that OWN_NAME_ONLY refuses: never cached, as each step before a payment asks. */
export async function findNotOwn(db: Db, withdrawals: readonly Owned[]): Promise<Set<string>> {
  if (withdrawals.length === 0 || (await readSetting(db, "OWN_NAME_ONLY")) !== "on") return new Set()
  const owners = await findOwners(db, withdrawals)
  return new Set(withdrawals.flatMap(({ id }) => (owners.get(id)?.owner === "other" ? [id] : [])))
}
