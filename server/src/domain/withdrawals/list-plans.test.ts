import { afterAll, beforeAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import type { Cents } from "#kit/money"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { plansOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { listWithdrawalsWithFacts, type WithdrawalFilter } from "./withdrawal-lists-repository.ts"

let database: TestDatabase
let middle: string

beforeAll(async () => {
  database = await createTestDatabase()
  const sellerIds = await insertSellers(database.db, 400)
  const rows = Array.from({ length: 6_000 }, (_, number) => {
    const at = new Date(Date.UTC(2026, 0, 1) + number * 600_000)
    const isPending = number % 20 === 0
    const ended = { status: "completed", provider: "simulator", approved_at: at, processed_at: at } as const
    const id = newId()
    const key = { pix_key: "ana@loja.example", pix_key_kind: "email", payout_id: id.replaceAll("-", "") } as const
    const seller_id = sellerIds[number % sellerIds.length] ?? ""
    const asked = { id, seller_id, amount_cents: 1_000 as Cents, method: "pix", created_at: at } as const
    return { ...asked, ...key, ...(isPending ? { status: "pending" as const } : ended) }
  })
  for (let start = 0; start < rows.length; start += 500) {
    await database.db
      .insertInto("withdrawals")
      .values(rows.slice(start, start + 500))
      .execute()
  }
  middle = rows[3_000]?.id ?? ""
  await asOwner(database, "vacuum analyze withdrawals, users, refunds, withdrawal_totals, audit_records")
})

afterAll(async () => {
  await database.drop()
})

test.for<[string, WithdrawalFilter, string]>([
  ["everything", {}, "withdrawals_by_time"],
  ["what waits", { statuses: ["pending"] }, "withdrawals_by_status"],
])("the list of %s comes out of an index in either order, and so do its facts", async ([, filter, index]) => {
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
