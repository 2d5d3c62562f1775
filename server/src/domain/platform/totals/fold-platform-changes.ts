import { foldAll } from "#db/fold-all"
import type { Db } from "#db/transaction"
import { foldChanges } from "./platform-totals-repository.ts"

/** Keeps short what readers have to add up. The totals are exact without it. */
export function foldPlatformChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldChanges)
}
