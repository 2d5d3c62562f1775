import { afterAll, expect, test } from "vitest"
import { findPlatformDifferences } from "#platform/totals/reads"
import { foldChargeChanges } from "#selling/charges/lists"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { findTopAmongBestEver, findTopOfMonth, findTopSellers } from "./reads.ts"
import { listTopSellers } from "./reports.ts"

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 20)
const pageIds = await insertChargePages(
  database.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2025-01-01T12:00:00Z" })),
)
await sell([
  [0, "2025-01-10", 30_000],
  [0, "2025-06-10", 5_000],
  [1, "2025-06-10", 9_000],
  [2, "2025-06-12", 8_000],
])

afterAll(() => database.drop())

type Sale = readonly [seller: number, day: string, amountCents: number]

async function sell(sales: readonly Sale[]): Promise<string[]> {
  const charges = sales.map(([number, day, amountCents]) => {
    const of = { sellerId: sellerIds[number] ?? "", pageId: pageIds[number] ?? "" }
    return { ...of, status: "paid", at: `${day}T12:00:00Z`, amountCents } as const
  })
  return insertCharges(database.db, charges)
}

test("the best of a long period come from the best ever, or the answer is unknown", async () => {
  const year = { dayFrom: "2025-01-01", monthFrom: "2025-01-01", monthTo: "2026-01-01", dayTo: "2025-12-31" }
  const june = { dayFrom: "2025-06-01", monthFrom: "2025-06-01", monthTo: "2025-07-01", dayTo: "2025-06-30" }
  await foldChargeChanges(database)
  const best = await findTopSellers(database.db, year, 1)
  expect(best.map(({ grossCents }) => grossCents)).toEqual([35_000])
  expect(await findTopAmongBestEver(database.db, year, 1, 2)).toEqual(best)
  // The best of the two sold 90.00 in June: the third may have sold as much as the second ever did.
  expect(await findTopAmongBestEver(database.db, june, 1, 2)).toBeNull()
  expect(await findTopAmongBestEver(database.db, june, 3, 500)).toEqual(await findTopSellers(database.db, june, 3))
  expect(await findTopAmongBestEver(database.db, year, 3, 3)).toBeNull()
})

test("the best of a long period are the same on whatever days it begins and ends, folded or not", async () => {
  const now = new Date("2024-12-10T12:00:00-03:00")
  const isTheSame = async () => {
    for (const dayFrom of ["2024-03-01", "2024-03-02", "2024-03-31"]) {
      for (const dayTo of ["2024-09-01", "2024-09-15", "2024-09-30", "2024-12-10"]) {
        const top = await listTopSellers({ db: database.db, clock: { now: () => now } }, { dayFrom, dayTo }, 5)
        expect(top).toEqual(await findTopSellers(database.db, { dayFrom, dayTo }, 5))
        expect(top.length).toBeGreaterThan(3)
      }
    }
  }
  const days = ["2024-02-29", "2024-03-01", "2024-03-30", "2024-05-31", "2024-09-01", "2024-09-16", "2024-12-09"]
  const sales = days.flatMap((day, number) =>
    [3, 4, 5, 6, 7].map((seller): Sale => [seller, day, 1_000 + ((number * 7 + seller * 13) % 29) * 100]),
  )
  await sell(sales)
  await isTheSame()
  await foldChargeChanges(database)
  await isTheSame()
  await sell(sales.slice(0, 9))
  await isTheSame()
})

test("the best of a month come from their ranking, whatever is folded and on any day", async () => {
  const dayOf = (number: number) => `2026-03-${String(1 + ((number * 11) % 31)).padStart(2, "0")}`
  const sales = Array.from({ length: 120 }, (_, number): Sale => {
    return [number % 17, dayOf(number), 1_000 + ((number * 7_919) % 5_000)]
  })
  const ids = await sell([...sales.slice(0, 80), [18, "2026-02-28", 90_000], [19, "2026-04-01", 90_000]])
  const isTheSame = async () => {
    for (const dayTo of ["2026-03-31", "2026-03-12", "2026-03-01"]) {
      const march = { dayFrom: "2026-03-01", dayTo }
      for (const limit of [1, 5, 100]) {
        const top = await findTopOfMonth(database.db, { ...march, lastDay: "2026-03-31" }, limit)
        expect(top).toEqual(await findTopSellers(database.db, march, limit))
        expect(top.length).toBeGreaterThan(0)
      }
    }
  }
  await isTheSame()
  await foldChargeChanges(database)
  await isTheSame()
  await sell(sales.slice(80))
  await database.db.updateTable("charges").set({ status: "refunded" }).where("id", "in", ids.slice(0, 10)).execute()
  await isTheSame()
  await foldChargeChanges(database)
  await isTheSame()
})

test("the verification names a month's sum that was tampered with", async () => {
  await foldChargeChanges(database)
  const wrong = async () => (await findPlatformDifferences(database.db)).filter(({ what }) => what.includes("no mês"))
  expect(await wrong()).toEqual([])
  await asOwner(database, "update seller_month_totals set count = count + 1 where month = '2025-01-01'")
  expect(await wrong()).toMatchObject([{ expected: "1 / 30000", found: "2 / 30000" }])
  await asOwner(database, "update seller_month_totals set count = count - 1 where month = '2025-01-01'")
})
