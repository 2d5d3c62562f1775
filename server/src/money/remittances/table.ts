import { type Selectable, sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"

/** Numbers are given one after the other, whoever asks at once. */
export async function takeSequence(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('remittance-sequence', 0))`.execute(tx)
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(sequence), 0) + 1 as next from remittances`.execute(tx)
  return rows[0]?.next ?? 1
}

interface NewRemittance {
  sequence: number
  id: string
  file: string
  madeBy: string
  madeAt: Date
  withdrawalIds: readonly string[]
}

export async function insertRemittance(tx: Tx, { withdrawalIds, ...remittance }: NewRemittance): Promise<void> {
  const { sequence, id, file, madeBy, madeAt } = remittance
  const row: NewRow<"remittances"> = { sequence, id, file, made_by: madeBy, made_at: madeAt }
  await tx.insertInto("remittances").values(row).execute()
  const entries = withdrawalIds.map(
    (withdrawalId, at): NewRow<"remittance_entries"> => ({
      ...{ sequence, line: at + 1, withdrawal_id: withdrawalId, state: "sent", reason: "" },
    }),
  )
  await tx.insertInto("remittance_entries").values(entries).execute()
}

/** It names people and their keys; its payments stay. */
export async function eraseFilesMadeBefore(tx: Tx, before: Date): Promise<void> {
  const query = tx.updateTable("remittances").set({ file: "" })
  await query.where("made_at", "<", before).where("file", "<>", "").execute()
}

type Entry = Selectable<Schema["remittance_entries"]>

export async function saveEntry(
  tx: Tx,
  { sequence, line, state, reason }: Pick<Entry, "sequence" | "line" | "state" | "reason">,
): Promise<void> {
  const query = tx.updateTable("remittance_entries").set({ state, reason })
  await query.where("sequence", "=", sequence).where("line", "=", line).execute()
}
