import type { Tx } from "#db/transaction"
import { legalKindOf } from "./legal-kind.ts"
import { insertNextText } from "./legal-texts-repository.ts"

/** A legal text that was saved is a new version from here on. Call it in the transaction that saves the setting. */
export async function publishLegalText(
  tx: Tx,
  { key, value, by }: { key: string; value: unknown; by: string },
  now: Date,
): Promise<void> {
  const kind = legalKindOf(key)
  if (kind !== null) await insertNextText(tx, { kind, body: String(value).trim(), by, now })
}
