import { afterAll, beforeAll, expect, test } from "vitest"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { insertWithdrawals } from "../../../test-support/insert-withdrawals.ts"
import { plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { listWithdrawalsWithFacts } from "./admin-reads.ts"
import type { WithdrawalFilter } from "./reads.ts"

let database: TestDatabase
let middle: string

beforeAll(async () => {
  database = await createTestDatabase()
  const sellerIds = await insertSellers(database.db, 400)
  const ids = await insertWithdrawals(
    database.db,
    Array.from({ length: 6_000 }, (_, number) => ({
      sellerId: sellerIds[number % sellerIds.length] ?? "",
      status: number % 20 === 0 ? "pending" : "completed",
      at: new Date(Date.UTC(2026, 0, 1) + number * 600_000),
    })),
  )
  middle = ids[3_000] ?? ""
  await vacuum(database, "withdrawals", "users", "refunds", "withdrawal_totals", "audit_records")
})

afterAll(async () => {
  await database.drop()
})

test.for<[string, WithdrawalFilter, string]>([
  ["everything", {}, "withdrawals_by_time"],
  ["what waits", { statuses: ["pending"] }, "withdrawals_by_status"],
])("the list of %s is read from an index in either order, and so are its facts", async ([, filter, index]) => {
  for (const order of ["newest", "oldest"] as const) {
    for (const after of [undefined, middle]) {
      const [plan = []] = await plansOf(database, (db) =>
        listWithdrawalsWithFacts(db, filter, { limit: 50, offset: 0, order, after }),
      )
      const indexes = plan.map((node) => node.index)
      expect(indexes).toContain(index)
      expect(indexes).toContain("withdrawals_paid_by_seller")
      expect(plan.filter(({ type, relation }) => type === "Seq Scan" && relation === "withdrawals")).toEqual([])
    }
  }
})
