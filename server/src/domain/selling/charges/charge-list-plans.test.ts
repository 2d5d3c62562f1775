import { afterAll, beforeAll, expect, test } from "vitest"
import { insertCharges } from "../../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../../test-support/insert-sellers.ts"
import { type PlanNode, plansOf } from "../../../../test-support/query-plans.ts"
import { createTestDatabase, type TestDatabase } from "../../../../test-support/test-database.ts"
import { vacuum } from "../../../../test-support/vacuum.ts"
import { type ChargeFilter, countFoundCharges, listChargeRows } from "./charge-lists-repository.ts"

let database: TestDatabase
let sellerIds: string[]
let ids: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  sellerIds = await insertSellers(database.db, 1_500)
  const pages = await insertChargePages(
    database.db,
    sellerIds.map((sellerId) => ({ sellerId, at: "2026-01-01T12:00:00Z" })),
  )
  const rare = { 3: "failed", 7: "expired", 11: "cancelled", 17: "paid" } as const
  ids = await insertCharges(
    database.db,
    Array.from({ length: 9_000 }, (_, number) => {
      // A tenth belongs to one seller, so that there is a long list of one seller too.
      const seller = number % 10 === 0 ? 0 : number % sellerIds.length
      return {
        sellerId: sellerIds[seller] ?? "",
        pageId: pages[seller] ?? "",
        status: rare[(number % 20) as keyof typeof rare] ?? "pending",
        at: new Date(Date.UTC(2026, 0, 1) + number * 600_000).toISOString(),
        payerName: `Cliente ${number}`,
      }
    }),
  )
  await vacuum(database, "charges", "users", "charge_search_texts", "charge_wordings")
})

afterAll(async () => {
  await database.drop()
})

/** Plans of a page in the list's order, and of the counts in its summary. */
async function planOf(filter: ChargeFilter, after?: string): Promise<PlanNode[]> {
  const [plan] = await plansOf(database, (db) => listChargeRows(db, filter, { limit: 50, offset: 0, after }))
  return plan ?? []
}

function indexesOf(plan: PlanNode[], relation: string): (string | undefined)[] {
  return [...new Set(plan.filter((node) => node.relation === relation).map(({ index }) => index))]
}

/** Tables with a row per seller or page only. */
const short = ["users", "charge_wordings"]

const typesOf = (plan: PlanNode[]) => plan.map(({ type }) => type)

test.for<[string, ChargeFilter, string]>([
  ["everything", {}, "charges_by_time"],
  ["days", { dayFrom: "2026-01-10", dayTo: "2026-02-10" }, "charges_by_time"],
  ["approved", { statuses: ["paid"] }, "charges_by_status"],
  ["failed in any way", { statuses: ["failed", "expired", "cancelled"] }, "charges_by_status"],
  [
    "failed in any way, in some days",
    { statuses: ["failed", "expired", "cancelled"], dayFrom: "2026-01-10" },
    "charges_by_status",
  ],
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
  ["pending", { statuses: ["pending"] }, "charges_by_seller_status"],
  ["days", { dayFrom: "2026-01-10" }, "charges_by_seller"],
])("the seller's list of %s is read from an index", async ([, filter, index]) => {
  const plan = await planOf({ ...filter, sellerId: sellerIds[0] }, ids[6_000])
  expect(indexesOf(plan, "charges").toSorted()).toEqual(["charges_by_id", index])
  expect(typesOf(plan)).not.toContain("Seq Scan")
  expect(typesOf(plan)).not.toContain("Sort")
})

test.for<[string, Pick<ChargeFilter, "sellerId">]>([
  ["an admin", {}],
  ["a seller", { sellerId: "first" }],
])("the search of %s uses trigrams and reads only the matches", async ([, { sellerId }]) => {
  const filter = { search: "cliente 4321", ...(sellerId !== undefined && { sellerId: sellerIds[0] }) }
  const plans = await plansOf(database, async (db) => {
    await listChargeRows(db, filter, { limit: 100, offset: 0 })
    await countFoundCharges(db, filter)
  })
  const [newest = [], ...found] = plans
  expect(found).toHaveLength(2)
  expect(indexesOf(newest, "charge_search_texts")).toEqual([])
  for (const plan of found) {
    const indexes = plan.map(({ index }) => index)
    expect(indexes).toEqual(expect.arrayContaining(["charge_search_texts_by_trigram", "charges_by_page"]))
    const readWhole = plan.filter(({ type }) => type === "Seq Scan").map(({ relation = "" }) => relation)
    expect(readWhole.filter((relation) => !short.includes(relation))).toEqual([])
  }
})
