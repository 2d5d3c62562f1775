import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { userNamer } from "./user-names.ts"

const database = await createTestDatabase()
const ids = await insertSellers(database.db, 3)
const nameUsers = userNamer(database.db)

afterAll(() => database.drop())

const rename = (name: string, id = ids[0] ?? "") =>
  database.db.updateTable("users").set({ name }).where("id", "=", id).execute()

const nameOfFirst = async () => (await nameUsers(ids)).get(ids[0] ?? "")?.name

test("cached names aren't looked up again", async () => {
  const plans = await plansOf(database, async (db) => {
    const asked = userNamer(db)
    await asked(ids)
    await asked(ids)
  })
  const relations = plans.map((plan) => plan.flatMap(({ relation }) => relation ?? []))
  expect(relations).toHaveLength(3)
  expect(relations.filter((names) => names.includes("users"))).toHaveLength(1)
})

test("a new name is returned at once, and one changed in a transaction from its commit on", async () => {
  await rename("Ana")
  expect(await nameOfFirst()).toBe("Ana")
  await rename("Ana Maria")
  expect(await nameOfFirst()).toBe("Ana Maria")
  await database.db.transaction().execute(async (tx) => {
    await tx
      .updateTable("users")
      .set({ email: "nova@loja.example", name: "Ana Nova" })
      .where("id", "=", ids[0] ?? "")
      .execute()
    expect(await nameOfFirst()).toBe("Ana Maria")
  })
  const names = await nameUsers([...ids, ...ids, newId()])
  expect(names.get(ids[0] ?? "")).toEqual({ id: ids[0], name: "Ana Nova", email: "nova@loja.example" })
  expect([...names.keys()].toSorted()).toEqual(ids.toSorted())
})
