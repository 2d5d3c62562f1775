import type { Db } from "#db/transaction"
import type { AuditEntry } from "./audit-entry.ts"
import { countRecordsAbout } from "./audit-repository.ts"

/** How often somebody did something to this thing since then. */
export async function countAbout(
  db: Db,
  about: Pick<AuditEntry, "entity" | "entityId"> & { since: Date },
): Promise<number> {
  return countRecordsAbout(db, about)
}
