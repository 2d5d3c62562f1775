import type { Tx } from "#db/transaction"
import type { Charge } from "./charge.ts"
import { lockChargeRow } from "./charges-repository.ts"

/** Lock order: after the payment's unmatched payment and before its refunds. */
export async function lockCharge(tx: Tx, id: string): Promise<Charge | null> {
  return lockChargeRow(tx, id)
}
