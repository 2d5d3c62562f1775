import { askForRefund } from "#money/refund-requests/decide"
import { addScreen } from "#selling/screens/pair"
import { makePaidCharge } from "./edge-charges.ts"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

export async function screenCode(world: EdgeWorld, { id }: WorldUser): Promise<string> {
  return (await addScreen(world, { id, address: null })).code
}

/** The sale, and a request to undo it. */
export async function makeRefundRequest(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const chargeId = await makeCounterSale(world, owner)
  const { id } = await askForRefund(world, { chargeId, actor: { id: owner.id, address: null }, reason: "" })
  return `${chargeId} ${id}`
}

export async function makeCounterSale(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const chargeId = await makePaidCharge(world, owner)
  await sellAtCounter(world, owner, chargeId)
  return chargeId
}

async function sellAtCounter(world: EdgeWorld, { id }: WorldUser, chargeId: string): Promise<void> {
  await world.db
    .insertInto("counter_sales")
    .values({ charge_id: chargeId, seller_id: id, sold_by: id, created_at: world.clock.now() })
    .execute()
}
