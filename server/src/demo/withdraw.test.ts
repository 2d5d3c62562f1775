import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { readSellerBalance } from "#money/payments/reads"
import { giveBalance } from "../../test-support/give-balance.ts"
import { createSeller } from "../../test-support/sandbox.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createLuck, type Shop, type Story } from "./story.ts"
import { withdraw } from "./trade.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

test("a withdrawal of an inactivated seller is refused, and the story goes on", async () => {
  const id = await createSeller(database)
  await giveBalance(database.db, id, 50_000)
  const deps = { db: database.db, clock: systemClock }
  const story = { deps, luck: createLuck(1) } as unknown as Story
  const shop = { actor: { id, address: null } } as Shop
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const ask = () => withdraw(story, shop, { share: 0.5, decision: "none", destination })
  expect(await ask()).toMatchObject({ sellerId: id, amountCents: 25_000 })
  await database.db.updateTable("users").set({ active: false }).where("id", "=", id).execute()
  expect(await ask()).toBeNull()
  expect(await readSellerBalance(database.db, id)).toBe(25_000)
})
