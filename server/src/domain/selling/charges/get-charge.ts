import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Charge } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"

export async function findCharge(db: Db, id: string): Promise<Charge | null> {
  return isId(id) ? findChargeRow(db, id) : null
}

export async function getCharge(db: Db, id: string): Promise<Charge> {
  const charge = await findCharge(db, id)
  if (charge === null) throw new DomainError("transaction_not_found")
  return charge
}

/** The seller's own charge; another seller's is forbidden. */
export async function getSellersCharge(db: Db, id: string, sellerId: string): Promise<Charge> {
  const charge = await getCharge(db, id)
  if (charge.sellerId !== sellerId) throw new DomainError("transaction_forbidden")
  return charge
}
