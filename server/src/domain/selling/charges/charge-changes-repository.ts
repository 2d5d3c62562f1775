import { sql } from "kysely"
import type { Tx } from "#db/transaction"

/** The number of folded changes, at most `limit`. */
export async function foldChargeChangeRows(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_charge_changes(${limit}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}
