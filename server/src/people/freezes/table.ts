import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Freeze } from "./reads.ts"

export async function insertFreeze(tx: Tx, { id, userId, frozenAt, trustsFactorsUntil }: Freeze, address: string) {
  const row = { id, user_id: userId, frozen_at: frozenAt, trusts_factors_until: trustsFactorsUntil, address }
  await tx
    .insertInto("freezes")
    .values(row satisfies NewRow<"freezes", "ended_at" | "ended_by">)
    .execute()
}

export async function trustFewerFactors(tx: Tx, id: string, until: Date): Promise<void> {
  await tx
    .updateTable("freezes")
    .set({ trusts_factors_until: until })
    .where("id", "=", id)
    .where("trusts_factors_until", ">", until)
    .execute()
}

/** False when there is none under way, or a concurrent request ended it. */
export async function endFreezeRow(tx: Tx, userId: string, by: string, now: Date): Promise<boolean> {
  const query = tx.updateTable("freezes").set({ ended_at: now, ended_by: by })
  const { numUpdatedRows } = await query
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

interface Link {
  tokenHash: Buffer
  userId: string
  createdAt: Date
  expiresAt: Date
}

export async function insertLink(tx: Tx, { tokenHash, userId, createdAt, expiresAt }: Link): Promise<void> {
  const row = { token_hash: tokenHash, user_id: userId, created_at: createdAt, expires_at: expiresAt }
  await tx
    .insertInto("not_me_links")
    .values(row satisfies NewRow<"not_me_links", "used_at">)
    .execute()
}

/** The user of a link that still works. */
export async function findLiveLink(db: Db, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const query = db.selectFrom("not_me_links").select("user_id").where("token_hash", "=", tokenHash)
  const row = await query.where("used_at", "is", null).where("expires_at", ">", now).executeTakeFirst()
  return row?.user_id
}

/** When it was sent. Undefined when it doesn't work any more, also because of a concurrent request. */
export async function useLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<Date | undefined> {
  const row = await tx
    .updateTable("not_me_links")
    .set({ used_at: now })
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("created_at")
    .executeTakeFirst()
  return row?.created_at
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteLinksExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  await sql`
    delete from not_me_links where token_hash in (
      select token_hash from not_me_links where expires_at < ${moment} for update skip locked
    )`.execute(tx)
}

export async function eraseAddressesOfFreezesBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update freezes set address = '' where id in (
      select id from freezes where address <> '' and frozen_at < ${moment}
      order by frozen_at limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function eraseAddressesOf(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable("freezes").set({ address: "" }).where("user_id", "=", userId).execute()
}

export async function deleteLinksOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("not_me_links").where("user_id", "=", userId).execute()
}
