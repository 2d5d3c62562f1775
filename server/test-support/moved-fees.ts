import type { Db } from "#db/transaction"
import { enterAllMovements } from "./enter-all-movements.ts"

/** The account of fees, with a day on which it moved. */
export async function movedFees(world: { db: Db }, payment: Promise<unknown>): Promise<string> {
  await entered(world, payment)
  return "fee-revenue"
}

/** The same thing, once the statements tell of it. */
export async function entered<Thing>({ db }: { db: Db }, thing: Promise<Thing>): Promise<Thing> {
  const made = await thing
  await enterAllMovements(db)
  return made
}
