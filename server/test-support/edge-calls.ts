import type { Example } from "@tilinta/contract/define-endpoint"
import { saoPauloDay } from "#kit/clock"
import { pairedScreen } from "./edge-people.ts"
import { addressOf, bodyFor, furnishFor } from "./edge-things.ts"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

/** The example's request, addressed to a new thing of the owner's. */
export async function requestOf(
  world: EdgeWorld,
  { endpoint, query, body, file }: Example,
  owner: WorldUser,
): Promise<{ url: string; body: unknown }> {
  await furnishFor(world, endpoint, owner)
  const address = await addressOf(world, endpoint.path, owner)
  const asked = query && endpoint.path.endsWith("/statement") ? inThisMonth(query) : query
  const search = asked === undefined ? "" : `?${new URLSearchParams(asked as Record<string, string>).toString()}`
  const sent = file === undefined ? await bodyFor(world, endpoint.path, body, owner) : Buffer.from(file, "base64")
  return { url: address + search, body: sent }
}

/** The database dates the lines of a statement, by the day on which the test runs and not by the world's clock. */
function inThisMonth(query: object): object {
  return "month" in query ? { ...query, month: saoPauloDay(new Date()).slice(0, 7) } : query
}

/** Calls as a user of the endpoint's audience: the owner, or an admin. */
export async function callAsIntended(world: EdgeWorld, example: Example, owner: WorldUser) {
  const { url, body } = await requestOf(world, example, owner)
  const token = (await world.tokenOf(example.endpoint.audience === "admin" ? "admin" : "owner", owner)) ?? ""
  const headers = await headersFor(world, url, owner)
  return world.call(example.endpoint.method, url, { token, headers, ...(body !== undefined && { body }) })
}

/** A device that is paired as a screen says so by a header of its own. */
export async function headersFor(world: EdgeWorld, url: string, owner: WorldUser): Promise<Record<string, string>> {
  return url.includes("/screens/current") ? { "x-screen": await pairedScreen(world, owner) } : {}
}
