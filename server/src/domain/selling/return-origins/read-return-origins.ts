import type { Db } from "#db/transaction"
import { findOriginsOf, type ReturnOrigins } from "./return-origins-repository.ts"

export async function readReturnOrigins(db: Db, sellerId: string): Promise<ReturnOrigins> {
  return findOriginsOf(db, sellerId)
}
