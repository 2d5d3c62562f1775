import type { MoneyKind } from "@tilinta/contract/vocabulary/money-kind"
import type { Db } from "#db/transaction"
import { findMoneyKind } from "./money-kind-repository.ts"

/** Null before the first start has chosen it. */
export async function readMoneyKind(db: Db): Promise<MoneyKind | null> {
  return findMoneyKind(db)
}
