import { afterAll, beforeAll, expect, test } from "vitest"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { findTopAmongBestEver, findTopSellers } from "./reports-repository.ts"

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const sellerIds = await insertSellers(database.db, 3)
  const pageIds = await insertChargePages(
    database.db,
    sellerIds.map((sellerId) => ({ sellerId, at: "2025-01-01T12:00:00Z" })),
  )
  const sales = [
    [0, "2025-01-10", 30_000],
    [0, "2025-06-10", 5_000],
    [1, "2025-06-10", 9_000],
    [2, "2025-06-12", 8_000],
  ] as const
  await insertCharges(
    database.db,
    sales.map(([number, day, amountCents]) => ({
      sellerId: sellerIds[number] ?? "",
      pageId: pageIds[number] ?? "",
      status: "paid",
      at: `${day}T12:00:00Z`,
      amountCents,
    })),
  )
})

afterAll(() => database.drop())

test("the best of a long time are among the best ever, or it says that it doesn't know", async () => {
  const year = { dayFrom: "2025-01-01", dayTo: "2025-12-31" }
  const june = { dayFrom: "2025-06-01", dayTo: "2025-06-30" }
  const best = await findTopSellers(database.db, year, 1)
  expect(best.map(({ grossCents }) => grossCents)).toEqual([35_000])
  expect(await findTopAmongBestEver(database.db, year, 1, 2)).toEqual(best)
  // The best of the two sold 90.00 in June: the third may have sold as much as the second ever did.
  expect(await findTopAmongBestEver(database.db, june, 1, 2)).toBeNull()
  expect(await findTopAmongBestEver(database.db, june, 3)).toEqual(await findTopSellers(database.db, june, 3))
  expect(await findTopAmongBestEver(database.db, year, 3, 3)).toBeNull()
})
