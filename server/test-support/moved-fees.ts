import type { Db } from "#db/transaction"
import { enterAllMovements } from "./enter-all-movements.ts"

/** The account of fees, with a day on which it moved. */
export async function movedFees({ db }: { db: Db }, payment: Promise<unknown>): Promise<string> {
  await payment
  await enterAllMovements(db)
  return "fee-revenue"
}
