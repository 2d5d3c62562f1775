import pg from "pg"
import { expect, test } from "vitest"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { findUserDifferences } from "./reads.ts"

test("the kept counts follow every change, also of many rows at once, and a wrong one is reported", async () => {
  const database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  try {
    const ids = [await createSeller(database), await createSeller(database), await createSeller(database)]
    await database.db.updateTable("users").set({ role: "admin" }).where("id", "in", ids.slice(1)).execute()
    await database.db.updateTable("users").set({ active: false, name: "Bia" }).execute()
    await database.db.updateTable("users").set({ name: "Caio" }).execute()
    expect(await findUserDifferences(database.db)).toEqual([])

    await owner.query("update user_totals set count = 5 where role = 'admin' and not active")
    const wrong = { what: "total de usuários admin inativos", expected: "2", found: "5" }
    expect(await findUserDifferences(database.db)).toEqual([wrong])
  } finally {
    await owner.end()
    await database.drop()
  }
})
