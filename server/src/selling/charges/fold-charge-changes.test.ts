import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { foldChargeChanges } from "./lists.ts"
import { foldChargeChangeRows } from "./new-charges-table.ts"

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 10)
const pageIds = await insertChargePages(
  database.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2026-11-01T12:00:00Z" })),
)

afterAll(() => database.drop())

/** Only totals are compared, because these charges were never credited, which would be reported too. */
async function wrongTotals(): Promise<string[]> {
  const differences = await findPaymentDifferences(database.db)
  return differences.map(({ what }) => what).filter((what) => /^(total|recebido)/.test(what))
}

async function allTotals() {
  const all = await Promise.all([
    sql`select * from charge_totals where count <> 0 order by seller_id, status`.execute(database.db),
    sql`select * from charge_day_totals where count <> 0 order by seller_id, day, status`.execute(database.db),
    sql`select * from paid_day_totals where count <> 0 order by seller_id, day`.execute(database.db),
  ])
  return all.map(({ rows }) => rows)
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from charge_changes`.execute(database.db)
  return rows[0]?.count ?? 0
}

/** Creates, opens and pays a charge, each step in a transaction of its own. */
async function sell(seller: number, amountCents: number): Promise<void> {
  const of = { sellerId: sellerIds[seller] ?? "", pageId: pageIds[seller] ?? "", at: "2026-11-10T12:00:00Z" }
  const [id = ""] = await insertCharges(database.db, [{ ...of, status: "creating", amountCents }])
  const change = (values: object) => database.db.updateTable("charges").set(values).where("id", "=", id).execute()
  await change({ status: "pending" })
  await change({ status: "paid", paid_at: new Date("2026-11-11T12:00:00Z") })
}

test("folding changes no total, in portions or twice", async () => {
  for (const seller of [0, 1, 1, 2]) await sell(seller, 1_000 + seller)
  const before = await allTotals()
  expect(before.map((rows) => rows.length)).toEqual([3, 3, 3])
  expect(await database.db.transaction().execute((tx) => foldChargeChangeRows(tx, 3))).toBe(3)
  expect(await allTotals()).toEqual(before)
  await foldChargeChanges(database)
  await foldChargeChanges(database)
  expect(await waiting()).toBe(0)
  expect(await allTotals()).toEqual(before)
  expect(await wrongTotals()).toEqual([])
})

test("a crash while folding folds nothing, and another node folds it meanwhile or afterwards", async () => {
  await sell(3, 2_000)
  const before = await allTotals()
  const count = await waiting()
  const dying = await database.pool.connect()
  await dying.query("begin")
  await dying.query("select fold_charge_changes(100)")
  expect(await database.db.transaction().execute((tx) => foldChargeChangeRows(tx, 100))).toBe(0)
  expect(await allTotals()).toEqual(before)
  dying.release(true)
  await expect.poll(() => database.db.transaction().execute((tx) => foldChargeChangeRows(tx, 100))).toBe(count)
  expect(await allTotals()).toEqual(before)
})

test("concurrent sales of many sellers, while two folders run, lose nothing", async () => {
  const writers = [0, 1, 2, 3, 4].map(async (first) => {
    for (let number = first; number < 50; number += 5) await sell(number % 10, 1_000 + number)
  })
  const folders = [1, 2].map(async () => {
    for (let time = 0; time < 10; time += 1) await foldChargeChanges(database)
  })
  await Promise.all([...writers, ...folders])
  expect(await wrongTotals()).toEqual([])
  await foldChargeChanges(database)
  expect(await wrongTotals()).toEqual([])
})

test("the verification names a total of a seller that was tampered with, folded or not", async () => {
  await foldChargeChanges(database)
  await sell(4, 3_000)
  await asOwner(
    database,
    `update kept_charge_totals set gross_cents = gross_cents + 1 where seller_id = '${sellerIds[1]}' and status = 'paid'`,
    `delete from charge_changes where status = 'paid'`,
  )
  expect((await wrongTotals()).toSorted()).toEqual(
    [
      `recebido no dia 2026-11-11 paid do vendedor ${sellerIds[4]}`,
      `total do dia 2026-11-10 paid do vendedor ${sellerIds[4]}`,
      `total do dia 2026-11-10 pending do vendedor ${sellerIds[4]}`,
      `total paid do vendedor ${sellerIds[1]}`,
      `total paid do vendedor ${sellerIds[4]}`,
      `total pending do vendedor ${sellerIds[4]}`,
    ].toSorted(),
  )
})

test("the role that serves requests can't write the totals", async () => {
  await expect(database.pool.query("update kept_charge_totals set count = 0")).rejects.toThrow(/permission denied/)
  await expect(database.pool.query("delete from charge_changes")).rejects.toThrow(/permission denied/)
})
