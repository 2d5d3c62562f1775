import type { Cents } from "@tilinta/contract/vocabulary/money"
import { createEntry } from "#money/manual-entries/entries"
import type { EdgeWorld } from "./edge-world.ts"

/** Waits for the caller, who is another administrator. */
export async function proposeEntry(world: EdgeWorld): Promise<string> {
  const tariff = { kind: "bank_tariff", direction: null, amountCents: 50 as Cents, provider: "simulator" } as const
  const evidence = { reason: "Tarifas", reference: "EXT-1", reverses: null, sellerId: null }
  await world.user("admin")
  const { id } = await world.user("admin")
  const admin = { id, address: null }
  return (await createEntry(world, { ...tariff, ...evidence, admin, idempotencyKey: null })).id
}
