import type { Tx } from "#db/transaction"
import { findOpenEntry } from "./reads.ts"
import { saveEntry } from "./table.ts"

/** Says what became of its line before the bank's return does, where one waits. The caller holds the withdrawal's lock. */
export async function endOpenEntry(tx: Tx, withdrawalId: string, state: "paid" | "dropped"): Promise<void> {
  const entry = await findOpenEntry(tx, withdrawalId)
  if (entry !== null) await saveEntry(tx, { sequence: entry.sequence, line: entry.line, state, reason: "" })
}
