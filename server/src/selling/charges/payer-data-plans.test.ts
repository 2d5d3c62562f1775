import { afterAll, expect, test } from "vitest"
import type { Db, Tx } from "#db/transaction"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { erasePayerRows, findNextCharges } from "./payer-data-table.ts"

const start = Date.parse("2020-01-01T00:00:00Z")

const database = await createTestDatabase()
const sellerId = await createSeller(database)
const [pageId = ""] = await insertChargePages(database.db, [{ sellerId, at: "2020-01-01T00:00:00Z" }])
const of: { sellerId: string; pageId: string } = { sellerId, pageId }

afterAll(() => database.drop())

/** Explained statement by statement, without the transaction around them. */
const alone = (db: Db) => db as unknown as Tx

/** Pages of the database that one batch behind a mark takes, after a history of so many charges. */
async function costsAfter(from: number, until: number) {
  const ids = await insertCharges(
    database.db,
    Array.from({ length: until - from }, (_, at) => {
      const moment = new Date(start + (from + at) * 1_000).toISOString()
      return { ...of, status: "expired" as const, at: moment, payerName: "Bruno Lima" }
    }),
  )
  await asOwner(database, "vacuum charges", "analyze charges")
  const after = { moment: new Date(start + (until - 200) * 1_000).toISOString(), id: ids[0] ?? "" }
  const reading = { after, createdBefore: new Date(), limit: 100 }
  const erasing = { now: new Date(), quietSince: new Date() }
  return {
    reading: await buffersOf(database, (db) => findNextCharges(alone(db), reading)),
    erasing: await buffersOf(database, (db) => erasePayerRows(alone(db), ids.slice(-20), erasing)),
  }
}

test("a batch of the job that erases payers costs no more with ten times the history", async () => {
  const young = await costsAfter(0, 2_000)
  const old = await costsAfter(2_000, 20_000)
  expect(old.reading).toBeLessThan(young.reading + 20)
  expect(old.erasing).toBeLessThan(young.erasing + 60)
})
