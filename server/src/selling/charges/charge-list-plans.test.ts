import { afterAll, expect, test } from "vitest"
import type { SoleDb } from "#db/transaction"
import { saveOrder } from "#selling/charge-pages/create"
import { listChargePages } from "#selling/charge-pages/list-reads"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { buffersOf, type PlanNode, plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { type ChargeFilter, countFoundCharges, listChargeRows } from "./list-reads.ts"
import { foldChargeChanges, listSellersCharges } from "./lists.ts"

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 1_500)
const pages = await insertChargePages(
  database.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2026-01-01T12:00:00Z" })),
)
const rare = { 3: "failed", 7: "expired", 11: "cancelled", 13: "refunded" } as const
const ids = await insertCharges(
  database.db,
  Array.from({ length: 9_000 }, (_, number) => {
    // A tenth belongs to one seller, so that there is a long list of one seller too.
    const seller = number % 10 === 1 ? 0 : number % sellerIds.length
    return {
      sellerId: sellerIds[seller] ?? "",
      pageId: pages[seller] ?? "",
      // None of the newest, among which a common status is looked for first.
      status: number % 8 === 5 && number < 4_500 ? "pending" : (rare[(number % 20) as keyof typeof rare] ?? "paid"),
      at: new Date(Date.UTC(2026, 0, 1) + number * 600_000).toISOString(),
      payerName: `Cliente ${number}`,
    }
  }),
)
await vacuum(database, "charges", "users", "charge_search_texts", "charge_wordings", "open_charges")

afterAll(() => database.drop())

/** Plans of a page in the list's order, and of the counts in its summary. */
async function planOf(filter: ChargeFilter, after?: string): Promise<PlanNode[]> {
  const plans = await plansOf(database, (db) => listChargeRows(db, filter, { limit: 10, offset: 0, after }))
  return plans.at(-1) ?? []
}

function indexesOf(plan: PlanNode[], relation: string): (string | undefined)[] {
  return [...new Set(plan.filter((node) => node.relation === relation).map(({ index }) => index))]
}

/** Tables with a row per seller or page only. */
const short = ["users", "charge_wordings", "orders"]

const typesOf = (plan: PlanNode[]) => plan.map(({ type }) => type)

test.for<[string, ChargeFilter, string]>([
  ["everything", {}, "charges_by_time"],
  ["days", { dayFrom: "2026-01-10", dayTo: "2026-02-10" }, "charges_by_time"],
  ["approved", { statuses: ["paid"] }, "charges_by_time"],
  ["failed in any way", { statuses: ["failed", "expired", "cancelled"] }, "charges_closed"],
  [
    "failed in any way, in some days",
    { statuses: ["failed", "expired", "cancelled"], dayFrom: "2026-01-10" },
    "charges_closed",
  ],
  ["refunded", { statuses: ["refunded"] }, "charges_refunded"],
])("the admin's list of %s is read from an index, from the start and after a row", async ([, filter, index]) => {
  for (const after of [undefined, ids[5_000]]) {
    const plan = await planOf(filter, after)
    expect(indexesOf(plan, "charges").toSorted()).toEqual(after === undefined ? [index] : ["charges_by_id", index])
    expect(typesOf(plan)).not.toContain("Seq Scan")
    expect(typesOf(plan)).not.toContain("Sort")
  }
})

test.for<[string, Omit<ChargeFilter, "sellerId">, string]>([
  ["everything", {}, "charges_by_seller"],
  ["cancelled", { statuses: ["cancelled"] }, "charges_closed_by_seller"],
  ["days", { dayFrom: "2026-01-10" }, "charges_by_seller"],
])("the seller's list of %s is read from an index", async ([, filter, index]) => {
  const plan = await planOf({ ...filter, sellerId: sellerIds[0] }, ids[6_000])
  expect(indexesOf(plan, "charges").toSorted()).toEqual(["charges_by_id", index])
  expect(typesOf(plan)).not.toContain("Seq Scan")
  expect(typesOf(plan)).not.toContain("Sort")
})

test.for(["an admin", "the seller"])("the list of pending charges for %s reads none that are not", async (reader) => {
  const filter: ChargeFilter = { statuses: ["pending"], ...(reader === "the seller" && { sellerId: sellerIds[0] }) }
  for (const after of [undefined, ids[6_000]]) {
    const plan = await planOf(filter, after)
    expect(indexesOf(plan, "charges")).toEqual(["charges_by_id"])
    expect(plan.map(({ relation }) => relation)).toContain("open_charges")
  }
})

test("the search of an admin uses trigrams for a rare word, and reads only the matches", async () => {
  const filter = { search: "cliente 4321" }
  const plans = await plansOf(database, async (db) => {
    await listChargeRows(db, filter, { limit: 100, offset: 0 })
    await countFoundCharges(db, filter)
  })
  const found = plans.filter((plan) => indexesOf(plan, "charge_search_texts").length > 0)
  // The list, the look whether there are few, and their sums.
  expect(found).toHaveLength(3)
  for (const plan of found) {
    const indexes = plan.map(({ index }) => index)
    expect(indexes).toEqual(expect.arrayContaining(["charge_search_texts_by_trigram", "charges_by_page"]))
    const readWhole = plan.filter(({ type }) => type === "Seq Scan").map(({ relation = "" }) => relation)
    expect(readWhole.filter((relation) => !short.includes(relation))).toEqual([])
  }
})

test("a seller's few transactions are searched one by one", async () => {
  const filter = { search: "cliente 4321", sellerId: sellerIds[0] }
  const plans = await plansOf(database, async (db) => {
    await listChargeRows(db, filter, { limit: 100, offset: 0 })
    await countFoundCharges(db, filter)
  })
  // However many of all other sellers hold the words.
  for (const plan of plans) expect(indexesOf(plan, "charge_search_texts")).toEqual([])
})

test("a word that all hold is counted among the newest, without a look at its matches", async () => {
  const filter = { search: "cliente" }
  const { totals, isExact } = await countFoundCharges(database.db, filter, 5_000)
  expect([totals.reduce((sum, { count }) => sum + count, 0), isExact]).toEqual([5_000, false])
  const plans = await plansOf(database, (db) => countFoundCharges(db, filter, 5_000))
  for (const plan of plans) expect(indexesOf(plan, "charge_search_texts")).toEqual([])
})

test("a word that all hold is counted among the pending charges without reading the others", async () => {
  const plans = await plansOf(database, (db) => countFoundCharges(db, { search: "cliente", statuses: ["pending"] }))
  for (const plan of plans) {
    expect(indexesOf(plan, "charges")).toEqual(["charges_by_id"])
    expect(plan.filter(({ type }) => type === "Seq Scan").map(({ relation }) => relation)).toEqual([])
  }
})

test("sellers are read only where the charge itself doesn't hold the word", async () => {
  const plans = await plansOf(database, (db) => countFoundCharges(db, { search: "cliente" }, 5_000))
  for (const plan of plans) {
    const sellers = plan.filter(({ relation }) => relation === "users")
    expect(sellers.map(({ type }) => type)).not.toContain("Seq Scan")
    expect(indexesOf(plan, "users")).toEqual(["users_by_id"])
  }
})

test("where the rest of the filter leaves few, all of them are counted", async () => {
  const filter = { search: "cliente", sellerId: sellerIds[1] }
  const { totals, isExact } = await countFoundCharges(database.db, filter)
  const [own] = await database.pool
    .query<{ count: number }>("select count(*) as count from charges where seller_id = $1", [sellerIds[1]])
    .then(({ rows }) => rows)
  expect([totals.reduce((sum, { count }) => sum + count, 0), isExact]).toEqual([own?.count, true])
  const rows = await listChargeRows(database.db, filter, { limit: 5_000, offset: 0 })
  expect(rows).toHaveLength(own?.count ?? 0)
})

test("the charges of one order are looked up, however many others the seller has", async () => {
  const { db } = database
  const clock = { now: () => new Date("2026-03-01T12:00:00Z") }
  const sellerId = sellerIds[0] ?? ""
  const [pageId = ""] = await insertChargePages(db, [{ sellerId, at: "2026-01-01T12:00:00Z" }])
  const order = { externalReference: "pedido-1", metadata: {}, returnUrl: null }
  await db.transaction().execute((tx) => saveOrder(tx, { pageId, sellerId, order }))
  await insertCharges(db, [{ sellerId, pageId, status: "paid", at: "2026-01-02T12:00:00Z" }])
  await foldChargeChanges({ db })
  await vacuum(database, "orders", "charges", "charge_changes")
  const list = (read: SoleDb) => {
    return listSellersCharges(
      { db: read, reportsDb: read, clock },
      { sellerId, externalReference: "pedido-1" },
      { limit: 100, offset: 0 },
    )
  }
  expect((await list(db)).summary.count).toBe(1)
  expect(await buffersOf(database, list)).toBeLessThanOrEqual(25)
  const page = { sellerId, externalReference: "pedido-1", limit: 10, offset: 0 }
  const listPage = (read: SoleDb) => listChargePages({ db: read, clock }, page)
  expect((await listPage(db)).pages.map(({ id }) => id)).toEqual([pageId])
  expect(await buffersOf(database, listPage)).toBeLessThanOrEqual(25)
})

test("the many charges of one order are listed and counted like the few", async () => {
  const sellerId = sellerIds[2] ?? ""
  const { db } = database
  const [pageId = ""] = await insertChargePages(db, [{ sellerId, at: "2026-01-01T12:00:00Z" }])
  const order = { externalReference: "turma", metadata: {}, returnUrl: null }
  await db.transaction().execute((tx) => saveOrder(tx, { pageId, sellerId, order }))
  const at = (number: number) => new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString()
  const many = Array.from({ length: 1_001 }, (_, number) => ({
    sellerId,
    pageId,
    status: "paid" as const,
    at: at(number),
  }))
  const read = async () => {
    const deps = { db, reportsDb: db, clock: { now: () => new Date("2026-03-02T12:00:00Z") } }
    const query = { sellerId, externalReference: "turma" }
    const { charges, summary } = await listSellersCharges(deps, query, { limit: 2, offset: 0 })
    return [charges.map(({ createdAt }) => createdAt.toISOString()), summary.count, summary.isExact]
  }
  await insertCharges(db, many.slice(0, 1_000))
  expect(await read()).toEqual([[at(999), at(998)], 1_000, true])
  await insertCharges(db, many.slice(1_000))
  expect(await read()).toEqual([[at(1_000), at(999)], 1_001, true])
})
