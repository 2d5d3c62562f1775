import { newId } from "#kit/ids"
import { changeLogo } from "#people/shops/change"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

export async function makeFrozenUser(world: EdgeWorld): Promise<string> {
  const { id } = await world.user()
  const now = world.clock.now()
  const freeze = { id: newId(), user_id: id, frozen_at: now, address: "203.0.113.7", trusts_factors_until: now }
  await world.db.insertInto("freezes").values(freeze).execute()
  return id
}

export async function makeInvitedUser(world: EdgeWorld): Promise<string> {
  const { id } = await world.user()
  await world.db.updateTable("users").set({ password_hash: null }).where("id", "=", id).execute()
  return id
}

export async function makeLogo(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const { logoDigest } = await changeLogo(world, { id: owner.id, address: null }, Buffer.from(newId()))
  return `${logoDigest}.png`
}
