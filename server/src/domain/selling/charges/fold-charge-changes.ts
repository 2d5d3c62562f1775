import { foldAll } from "#db/fold-all"
import type { Db } from "#db/transaction"
import { foldChargeChangeRows } from "./charge-changes-repository.ts"

/** Keeps the number of changes small that make up a seller's totals. They are exact without it. */
export function foldChargeChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldChargeChangeRows)
}
