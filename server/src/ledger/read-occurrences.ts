import type { Db } from "#db/transaction"
import type { LedgerTransaction } from "./post-transactions.ts"

/** When an event of that kind happened, by reference; what never happened is missing. */
export async function readOccurrences(
  db: Db,
  kind: LedgerTransaction["kind"],
  references: string[],
): Promise<Map<string, Date>> {
  if (references.length === 0) return new Map()
  const rows = await db
    .selectFrom("ledger_transactions")
    .select(["reference", "occurred_at"])
    .where("kind", "=", kind)
    .where("reference", "in", references)
    .execute()
  return new Map(rows.map((row) => [row.reference, row.occurred_at]))
}
