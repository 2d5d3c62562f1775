import { afterEach, beforeEach, expect, test } from "vitest"
import { recordAudit } from "#platform/audit/record"
import { insertSellers } from "../../test-support/insert-sellers.ts"
import { createTestDatabase, type TestDatabase } from "../../test-support/test-database.ts"
import { isToBeFilled } from "./play-story.ts"

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.drop())

const demo = { entity: "demo", entityId: "demo", actor: null, before: null, after: null } as const

async function note(action: "demo.begun" | "demo.filled"): Promise<void> {
  await database.db.transaction().execute((tx) => recordAudit(tx, { ...demo, action, happenedAt: new Date() }))
}

test("an empty database is filled, one with data never, and a filled one not again", async () => {
  const { db } = database
  expect(await isToBeFilled(db)).toBe(true)
  await insertSellers(db, 1)
  await expect(isToBeFilled(db)).rejects.toThrow("já tem vendedores")
  await note("demo.begun")
  await expect(isToBeFilled(db)).rejects.toThrow("interrompida")
  await note("demo.filled")
  expect(await isToBeFilled(db)).toBe(false)
})
