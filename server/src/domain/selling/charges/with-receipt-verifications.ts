import type { Db } from "#db/transaction"
import type { VerifiedCharge } from "./charge.ts"
import { readReceiptVerifications } from "./charge-lists-repository.ts"

/** By one lookup for all of them. */
export async function withReceiptVerifications<C extends { id: string }>(
  db: Db,
  charges: readonly C[],
): Promise<VerifiedCharge<C>[]> {
  const counts = await readReceiptVerifications(
    db,
    charges.map(({ id }) => id),
  )
  return charges.map((charge) => ({ ...charge, receiptVerifications: counts.get(charge.id) ?? 0 }))
}
