import { type ChargePageStatus, chargePageStatuses } from "@tilinta/contract/vocabulary/charge-pages"
import { afterAll, expect, test } from "vitest"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { buffersOf, plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { listAllChargePageRows } from "./list-reads.ts"
import { listChargePageRows } from "./reads.ts"

const ids: string[] = []

/** Nearly all are completed, and all of the newest. */
function statusOf(number: number): ChargePageStatus {
  if (number > 4_000 || number % 20 > 2) return "completed"
  return (["active", "expired", "cancelled"] as const)[number % 20] ?? "completed"
}

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 500)
const sellerId: string = sellerIds[0] ?? ""
const pages = Array.from({ length: 6_000 }, (_, number) => ({
  // A tenth belongs to one seller.
  sellerId: sellerIds[Math.floor(number / 40) % 10 === 0 ? 0 : number % sellerIds.length] ?? "",
  status: statusOf(number),
  at: new Date(Date.UTC(2026, 0, 1) + number * 600_000).toISOString(),
}))
for (let done = 0; done < pages.length; done += 2_000) {
  ids.push(...(await insertChargePages(database.db, pages.slice(done, done + 2_000))))
}
await vacuum(database, "charge_pages", "active_charge_pages", "users")

afterAll(() => database.drop())

const readers = {
  "an admin": (status: ChargePageStatus, after?: string) => (db: TestDatabase["db"]) =>
    listAllChargePageRows(db, { status }, { limit: 10, offset: 0, after }),
  "the seller": (status: ChargePageStatus, after?: string) => (db: TestDatabase["db"]) =>
    listChargePageRows(db, { sellerId, status, limit: 10, offset: 0, after }),
} as const

/** A walk to completed pages may take either order: a seller with many pages has some among the newest. */
const indexesFor = {
  "an admin": {
    active: ["charge_pages_by_id"],
    completed: ["charge_pages_by_time"],
    expired: ["charge_pages_ended"],
    cancelled: ["charge_pages_ended"],
  },
  "the seller": {
    active: ["charge_pages_by_id"],
    completed: ["charge_pages_by_seller", "charge_pages_by_time"],
    expired: ["charge_pages_ended_by_seller"],
    cancelled: ["charge_pages_ended_by_seller"],
  },
} as const

const cases = (["an admin", "the seller"] as const).flatMap((reader) =>
  chargePageStatuses.map((status) => [reader, status] as const),
)

test.for(cases)(
  "the list for %s of pages that are %s reads no others, in the order of an index",
  async ([who, status]) => {
    for (const after of [undefined, ids[3_000]]) {
      const list = readers[who](status, after)
      const [plan = []] = (await plansOf(database, list)).slice(-1)
      const indexes = plan.flatMap(({ index }) => index ?? [])
      expect(indexes.filter((index) => indexesFor[who][status].some((expected) => expected === index))).not.toEqual([])
      // So few are active that their whole table may be read.
      expect(plan.some(({ relation }) => relation === "active_charge_pages")).toBe(status === "active")
      const pages = plan.filter(({ relation }) => relation === "charge_pages")
      expect(pages.map(({ type }) => type)).not.toContain("Seq Scan")
      expect(await buffersOf(database, list)).toBeLessThan(100)
      const rows = await list(database.db)
      expect(new Set(rows.map((page) => page.status))).toEqual(new Set([status]))
      expect(rows).toHaveLength(10)
      const places = rows.map(({ id }) => ids.indexOf(id))
      expect(places).toEqual(places.toSorted((one, other) => other - one))
    }
  },
)
