import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { StatementEntry } from "./parse.ts"

/** Returns the id of the same file, where it was imported before. */
export async function saveStatement(
  tx: Tx,
  { digest, ...statement }: { digest: string; debitKeys: string[]; importedBy: string; importedAt: Date },
): Promise<string> {
  const row: NewRow<"bank_statements"> = {
    id: newId(),
    digest,
    debit_keys: statement.debitKeys,
    imported_by: statement.importedBy,
    imported_at: statement.importedAt,
  }
  await tx
    .insertInto("bank_statements")
    .values(row)
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .execute()
  return (await tx.selectFrom("bank_statements").select("id").where("digest", "=", digest).executeTakeFirstOrThrow()).id
}

/** Debits that a file told before stay as they are; returns how many are new. */
export async function insertDebits(tx: Tx, debits: readonly StatementEntry[]): Promise<number> {
  if (debits.length === 0) return 0
  const rows = debits.map(
    ({ key, day, amountCents, text }): NewRow<"bank_debits", "withdrawal_id"> => ({
      id: newId(),
      key,
      day,
      amount_cents: amountCents,
      text,
    }),
  )
  const inserted = await tx
    .insertInto("bank_debits")
    .values(rows)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("id")
    .execute()
  return inserted.length
}

export async function linkDebit(tx: Tx, { id, withdrawalId }: { id: string; withdrawalId: string }): Promise<void> {
  await tx
    .updateTable("bank_debits")
    .set({ withdrawal_id: withdrawalId })
    .where("id", "=", id)
    .where("withdrawal_id", "is", null)
    .execute()
}
