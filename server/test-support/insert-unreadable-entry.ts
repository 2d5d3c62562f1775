import { newId } from "#kit/ids"
import type { EdgeWorld } from "./edge-world.ts"

/** An entry of the bank's lists that nobody could read. */
export async function insertUnreadableEntry(world: EdgeWorld): Promise<string> {
  const now = world.clock.now()
  const id = newId()
  const entry = {
    id,
    provider: world.psp.name,
    kind: "receipt",
    reference: `E${id.replaceAll("-", "").slice(1)}`,
  } as const
  await world.db
    .insertInto("unreadable_entries")
    .values({ ...entry, amount_text: "10,00", happened_at: now, first_seen_at: now })
    .execute()
  return id
}
