import type { Example } from "@tilinta/contract/examples/define-example"
import { addressOf, bodyFor, furnishFor } from "./edge-things.ts"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

/** The example's request, addressed to a new thing of the owner's. */
export async function requestOf(
  world: EdgeWorld,
  { endpoint, query, body }: Example,
  owner: WorldUser,
): Promise<{ url: string; body: unknown }> {
  await furnishFor(world, endpoint, owner)
  const address = await addressOf(world, endpoint.path, owner)
  const search = query === undefined ? "" : `?${new URLSearchParams(query as Record<string, string>).toString()}`
  return { url: address + search, body: await bodyFor(world, endpoint.path, body, owner) }
}

/** Calls as a user of the endpoint's audience: the owner, or an admin. */
export async function callAsIntended(world: EdgeWorld, example: Example, owner: WorldUser) {
  const { url, body } = await requestOf(world, example, owner)
  const token = (await world.tokenOf(example.endpoint.audience === "admin" ? "admin" : "owner", owner)) ?? ""
  return world.call(example.endpoint.method, url, { token, ...(body !== undefined && { body }) })
}
