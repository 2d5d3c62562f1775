import { foldAll } from "#db/fold-all"
import type { Db } from "#db/transaction"
import { foldChanges } from "./charge-changes-repository.ts"

/** Keeps short what has to be added up to a seller's totals. They are exact without it. */
export function foldChargeChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldChanges)
}
