import type { Selectable } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { WithdrawalRule } from "./rules.ts"

export async function findRule(db: Db, sellerId: string): Promise<WithdrawalRule | null> {
  const row = await db.selectFrom("withdrawal_rules").selectAll().where("seller_id", "=", sellerId).executeTakeFirst()
  return row === undefined ? null : toRule(row)
}

/** Sellers whose rule looks now, the longest due first. */
export async function findDueSellers(db: Db, now: Date): Promise<string[]> {
  const running = db.selectFrom("withdrawal_rules").select("seller_id").where("paused_because", "is", null)
  const rows = await running.where("next_at", "<=", now).orderBy("next_at").orderBy("seller_id").execute()
  return rows.map((row) => row.seller_id)
}

export function toRule(row: Selectable<Schema["withdrawal_rules"]>): WithdrawalRule {
  return {
    sellerId: row.seller_id,
    every: row.every,
    aboveCents: row.above_cents,
    destinationId: row.destination_id,
    nextAt: row.next_at,
    pausedBecause: row.paused_because,
    failure: row.failure,
    lastWithdrawalId: row.last_withdrawal_id,
    mac: row.mac,
  }
}
