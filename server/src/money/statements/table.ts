import { sql } from "kysely"
import type { Tx } from "#db/transaction"

/** The number of entered movements. */
export async function enterSome(tx: Tx, atMost: number): Promise<number> {
  const { rows } = await sql<{ entered: number }>`select enter_statements(${atMost}) as entered`.execute(tx)
  return rows[0]?.entered ?? 0
}

export async function closeUntil(tx: Tx, moment: Date): Promise<void> {
  await sql`select close_statements(${moment})`.execute(tx)
}
