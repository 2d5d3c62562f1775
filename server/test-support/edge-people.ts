import { newId } from "#kit/ids"
import { hashOfToken } from "#kit/secrets"
import { changeLogo } from "#people/shops/change"
import { inviteMember } from "#people/team/invite"
import { saveOwnSubscription } from "#platform/push/subscribe"
import { addScreen, pairScreen } from "#selling/screens/pair"
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

/** The shop, and one of its cashiers. */
export async function makeMember(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const { id } = await world.user()
  const place = { shop_id: owner.id, user_id: id, role: "cashier", joined_at: world.clock.now() } as const
  await world.db.insertInto("shop_members").values(place).execute()
  return `${owner.id} ${id}`
}

/** The shop, and an invitation of it. */
export async function makeTeamInvitation(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return `${owner.id} ${(await invite(world, owner, `${newId()}@loja.example`)).id}`
}

/** The token of an invitation to somebody else's team. */
export async function makeInvitationTo(world: EdgeWorld, invited: WorldUser): Promise<string> {
  return (await invite(world, await world.user(), invited.email)).token
}

export async function makePushSubscription(world: EdgeWorld, { id, token }: WorldUser): Promise<string> {
  const endpoint = `https://push.example/${newId()}`
  const browser = { endpoint, allowsLocal: false, p256dh: "BDd3", auth: "8eDy", hideAmounts: false }
  return saveOwnSubscription(world, { person: { id, address: null }, tokenHash: hashOfToken(token), ...browser })
}

function invite(world: EdgeWorld, owner: WorldUser, email: string) {
  const proof = { userId: owner.id, isFresh: true, isProgram: false, protection: world.protection }
  return inviteMember(world, { by: { id: owner.id, address: null }, email, role: "cashier", proof })
}

/** The shop, and a screen of its counter. */
export async function makeScreen(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return `${owner.id} ${(await addScreen(world, { id: owner.id, address: null })).id}`
}

/** The secret of a device that was paired. */
export async function pairedScreen(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return pairScreen(world, (await addScreen(world, { id: owner.id, address: null })).code)
}
