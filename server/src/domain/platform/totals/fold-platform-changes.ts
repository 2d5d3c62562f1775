import { foldAll } from "#db/fold-all"
import type { Db } from "#db/transaction"
import { foldPlatformChangeRows } from "./platform-totals-repository.ts"

/** Keeps the number of changes small that readers add up. The totals are exact without it. */
export function foldPlatformChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldPlatformChangeRows)
}
