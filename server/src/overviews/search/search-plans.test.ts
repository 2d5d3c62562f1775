import { afterAll, expect, test } from "vitest"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { type PlanNode, plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { searchAll, searchOwn } from "./search.ts"

const clock = { now: () => new Date("2026-06-01T12:00:00Z") }

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 3_000)
const sellerId: string = sellerIds[0] ?? ""
const pages = await insertChargePages(
  database.db,
  sellerIds.map((id, number) => ({ sellerId: id, at: "2026-01-01T12:00:00Z", title: `Oficina ${number}` })),
)
await insertCharges(
  database.db,
  Array.from({ length: 6_000 }, (_, number) => {
    const seller = number % 2 === 0 ? 0 : number % sellerIds.length
    const at = new Date(Date.UTC(2026, 0, 1) + number * 600_000).toISOString()
    const of = { sellerId: sellerIds[seller] ?? "", pageId: pages[seller] ?? "" }
    return { ...of, status: "pending", at, payerName: `Cliente ${number}` } as const
  }),
)
await vacuum(database, "charges", "users", "charge_pages", "charge_search_texts", "charge_wordings", "withdrawals")

afterAll(() => database.drop())

const wholeTablesRead = (plans: PlanNode[][]) =>
  plans.flat().flatMap(({ type, relation }) => (type === "Seq Scan" && relation !== undefined ? [relation] : []))

const big = ["users", "charge_pages", "charges", "charge_search_texts"]

test.for(["oficina 4321", "cliente 4321", "dedor27", "oficina", "cliente", "0mk1", "E0000000020260"])(
  "a search for %s reads no table whole",
  async (words) => {
    const plans = await plansOf(database, async (db) => {
      await searchAll({ db, clock }, words)
      await searchOwn({ db, clock }, { words, sellerId })
    })
    expect(plans.length).toBeGreaterThanOrEqual(7)
    expect(wholeTablesRead(plans).filter((relation) => big.includes(relation))).toEqual([])
  },
)

test("rare words are found by their trigrams", async () => {
  const plans = await plansOf(database, (db) => searchAll({ db, clock }, "oficina 4321"))
  const indexes = plans.flat().map(({ index }) => index)
  expect(indexes).toEqual(
    expect.arrayContaining([
      "users_by_search_text",
      "charge_pages_by_search_text",
      "charge_search_texts_by_trigram",
      "charges_by_page",
      "charges_by_txid",
      "payments_by_end_to_end_id",
    ]),
  )
})
