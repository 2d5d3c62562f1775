import { type Selectable, sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { type StoredRemittance, selectRemittances } from "./reads.ts"
import { digestOf, remittanceOrder, type WrittenRemittance } from "./rules.ts"

/** Numbers are given one after the other, whoever asks at once. */
export async function takeSequence(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('remittance-sequence', 0))`.execute(tx)
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(sequence), 0) + 1 as next from remittances`.execute(tx)
  return rows[0]?.next ?? 1
}

type NewRemittance = Omit<WrittenRemittance, "fileDigest"> & { file: string }

export async function insertRemittance(tx: Tx, { file, ...remittance }: NewRemittance): Promise<void> {
  const { sequence, id, madeBy, madeAt, lines } = remittance
  const fileDigest = digestOf(file)
  const mac = macOf(remittanceOrder({ ...remittance, fileDigest }))
  const row: NewRow<"remittances"> = {
    sequence,
    id,
    file,
    file_digest: fileDigest,
    made_by: madeBy,
    made_at: madeAt,
    mac,
  }
  await tx.insertInto("remittances").values(row).execute()
  const entries = lines.map(
    ({ line, withdrawalId }): NewRow<"remittance_entries"> => ({
      ...{ sequence, line, withdrawal_id: withdrawalId, state: "sent", reason: "" },
    }),
  )
  await tx.insertInto("remittance_entries").values(entries).execute()
}

/** It names people and their keys; its payments stay. */
export async function eraseFilesMadeBefore(tx: Tx, before: Date): Promise<void> {
  const query = tx.updateTable("remittances").set({ file: "" })
  await query.where("made_at", "<", before).where("file", "<>", "").execute()
}

/** Those whose MAC another key than the first has made, locked. */
export async function lockRemittancesOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<StoredRemittance[]> {
  const former = sql`mac not like ${currentMacs(secretKeys)} order by sequence for update`
  return (await selectRemittances(former).execute(tx)).rows
}

export async function saveRemittanceMac(tx: Tx, sequence: number, mac: string | null): Promise<void> {
  await tx.updateTable("remittances").set({ mac }).where("sequence", "=", sequence).execute()
}

type Entry = Selectable<Schema["remittance_entries"]>

export async function saveEntry(
  tx: Tx,
  { sequence, line, state, reason }: Pick<Entry, "sequence" | "line" | "state" | "reason">,
): Promise<void> {
  const query = tx.updateTable("remittance_entries").set({ state, reason })
  await query.where("sequence", "=", sequence).where("line", "=", line).execute()
}
