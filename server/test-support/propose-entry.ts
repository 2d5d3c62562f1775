import { createEntry } from "#domain/money/manual-entries/create-entry"
import type { Cents } from "#kit/money"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

/** Waits for the world's administrator, who is another person. */
export async function proposeEntry(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const tariff = { kind: "bank_tariff", direction: null, amountCents: 50 as Cents, provider: "simulator" } as const
  const evidence = { reason: "Tarifas", reference: "EXT-1", reverses: null, sellerId: null }
  const admin = { id: owner.id, address: null }
  return (await createEntry(world, { ...tariff, ...evidence, admin, idempotencyKey: null })).id
}
