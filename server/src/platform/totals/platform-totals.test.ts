import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { findPlatformDifferences } from "./reads.ts"
import {
  countChargePagesOfPlatform,
  foldPlatformChanges,
  readChargeTotalsOfPlatform,
  readPaidPerDay,
} from "./totals.ts"

const database = await createTestDatabase()
const sellerIds = await insertSellers(database.db, 20)
const pageIds = await insertChargePages(
  database.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2026-11-01T12:00:00Z" })),
)

afterAll(async () => {
  expect(await findPlatformDifferences(database.db)).toEqual([])
  await database.drop()
})

const chargeOf = (seller: number) => ({ sellerId: sellerIds[seller] ?? "", pageId: pageIds[seller] ?? "" })

async function countOn(day: string): Promise<Record<string, number>> {
  const totals = await readChargeTotalsOfPlatform(database.db, { dayFrom: day, dayTo: day })
  return Object.fromEntries(totals.filter(({ count }) => count !== 0).map(({ status, count }) => [status, count]))
}

const setStatus = (id: string, status: "pending" | "paid" | "refunded", paidAt: string | null = null) =>
  database.db
    .updateTable("charges")
    .set({ status, paid_at: paidAt === null ? null : new Date(paidAt) })
    .where("id", "=", id)
    .execute()

test("I08: a charge counts on its day of creation and, while it is paid, on São Paulo's day of the payment", async () => {
  // 02:30 UTC on 1 November is 23:30 of 31 October in São Paulo.
  const [id = ""] = await insertCharges(database.db, [
    { ...chargeOf(0), status: "creating", at: "2026-10-20T15:00:00Z" },
  ])
  expect(await countOn("2026-10-20")).toEqual({})
  await setStatus(id, "pending")
  expect(await countOn("2026-10-20")).toEqual({ pending: 1 })
  await setStatus(id, "paid", "2026-11-01T02:30:00Z")
  expect(await countOn("2026-10-20")).toEqual({ paid: 1 })
  const october = { dayFrom: "2026-10-01", dayTo: "2026-10-31" }
  expect(await readPaidPerDay(database.db, october)).toEqual([
    {
      day: "2026-10-31",
      count: 1,
      grossCents: 1_000,
      feeCents: 150,
      netCents: 850,
      refundedCents: 0,
      refundedFeeCents: 0,
    },
  ])
  await database.db
    .updateTable("charges")
    .set({ refunded_cents: 300 as Cents })
    .where("id", "=", id)
    .execute()
  expect(await readPaidPerDay(database.db, october)).toMatchObject([{ count: 1, refundedCents: 300 }])
  await setStatus(id, "refunded", "2026-11-01T02:30:00Z")
  expect(await readPaidPerDay(database.db, october)).toMatchObject([{ count: 0, grossCents: 0, refundedCents: 0 }])
  expect(await countOn("2026-10-20")).toEqual({ refunded: 1 })
})

test("a page counts in its status until it is deleted", async () => {
  const count = async () => Object.fromEntries(await countChargePagesOfPlatform(database.db))
  const before = await count()
  const [id = ""] = await insertChargePages(database.db, [{ ...chargeOf(1), at: "2026-11-02T12:00:00Z" }])
  const change = (values: object) => database.db.updateTable("charge_pages").set(values).where("id", "=", id).execute()
  expect(await count()).toEqual({ ...before, active: (before["active"] ?? 0) + 1 })
  await change({ status: "cancelled" })
  expect(await count()).toEqual({ ...before, cancelled: 1 })
  await change({ deleted_at: new Date() })
  expect(await count()).toEqual({ ...before, cancelled: 0 })
})

test("folding changes no total, also with nothing to fold", async () => {
  const before = await readChargeTotalsOfPlatform(database.db, {})
  await foldPlatformChanges(database)
  await foldPlatformChanges(database)
  expect(await readChargeTotalsOfPlatform(database.db, {})).toEqual(before)
  expect(await database.db.selectFrom("platform_changes").selectAll().execute()).toEqual([])
})

/** Creates, opens and pays a charge, each step in a transaction of its own. */
async function sell(seller: number): Promise<void> {
  const [id = ""] = await insertCharges(database.db, [
    { ...chargeOf(seller), status: "creating", at: "2026-11-10T12:00:00Z", amountCents: 1_000 + seller },
  ])
  await setStatus(id, "pending")
  await setStatus(id, "paid", "2026-11-10T12:05:00Z")
}

test("concurrent writers of many sellers, next to two folding jobs, neither wait for each other nor lose anything", async () => {
  const writers = [0, 1, 2, 3, 4].map(async (first) => {
    for (let number = first; number < 60; number += 5) await sell(number % 20)
  })
  const folders = [1, 2].map(async () => {
    for (let time = 0; time < 10; time += 1) await foldPlatformChanges(database)
  })
  await Promise.all([...writers, ...folders])
  expect(await countOn("2026-11-10")).toEqual({ paid: 60 })
  const [paid] = await readPaidPerDay(database.db, { dayFrom: "2026-11-10", dayTo: "2026-11-10" })
  const gross = Array.from({ length: 60 }, (_, number) => 1_000 + (number % 20)).reduce((sum, cents) => sum + cents, 0)
  expect(paid).toMatchObject({ count: 60, grossCents: gross })
  expect(await findPlatformDifferences(database.db)).toEqual([])
})

test("two transactions that touch the same days in opposite order don't deadlock", async () => {
  const [first = "", second = ""] = await insertCharges(database.db, [
    { ...chargeOf(2), status: "pending", at: "2026-11-11T12:00:00Z" },
    { ...chargeOf(3), status: "pending", at: "2026-11-12T12:00:00Z" },
  ])
  const expire = (id: string) => ({ text: "update charges set status = 'expired' where id = $1", values: [id] })
  const [here, there] = await Promise.all([database.pool.connect(), database.pool.connect()])
  try {
    await Promise.all([here.query("begin"), there.query("begin")])
    await Promise.all([here.query(expire(first)), there.query(expire(second))])
    await insertOn(here, 2, "2026-11-12T13:00:00Z")
    await insertOn(there, 3, "2026-11-11T13:00:00Z")
    await Promise.all([here.query("commit"), there.query("commit")])
  } finally {
    here.release()
    there.release()
  }
  expect(await countOn("2026-11-11")).toEqual({ expired: 1, pending: 1 })
  expect(await countOn("2026-11-12")).toEqual({ expired: 1, pending: 1 })
})

async function insertOn(
  client: { query: (text: string, values: unknown[]) => Promise<unknown> },
  seller: number,
  at: string,
) {
  await client.query(
    `insert into charges (id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents,
       net_cents, page_title, pix_code, expires_at, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'simulator', 'pending', 1000, 0, 0, 1000, 'x', 'x', now(), $3, $3)`,
    [sellerIds[seller], pageIds[seller], at],
  )
}

test("the verification names a total, and a text of the search, that was tampered with", async () => {
  const other = await createTestDatabase()
  const [sellerId = ""] = await insertSellers(other.db, 1)
  const [pageId = ""] = await insertChargePages(other.db, [{ sellerId, at: "2026-11-01T12:00:00Z" }])
  const [id] = await insertCharges(other.db, [{ sellerId, pageId, status: "paid", at: "2026-11-01T12:00:00Z" }])
  await foldPlatformChanges(other)
  expect(await findPlatformDifferences(other.db)).toEqual([])
  await asOwner(
    other,
    "update platform_totals set gross_cents = gross_cents + 1 where subject = 'charge-paid'",
    "insert into platform_changes (subject, day, status, count) values ('charge-page', '2026-11-01', 'active', -1)",
    "update platform_status_totals set count = 5 where subject = 'charge-created'",
    "delete from charge_wordings",
  )
  const differences = await findPlatformDifferences(other.db)
  await other.drop()
  expect(differences.map(({ what, expected, found }) => [what, expected, found]).toSorted()).toEqual([
    [`texto de busca da cobrança ${id}`, expect.stringContaining("mentoria"), "nenhum"],
    ["total da plataforma charge-created paid", "1 / 1000 / 150 / 850 / 0 / 0", "5 / 1000 / 150 / 850 / 0 / 0"],
    ["total da plataforma charge-page active de 2026-11-01", "1 / 0 / 0 / 0 / 0 / 0", "0 / 0 / 0 / 0 / 0 / 0"],
    [
      "total da plataforma charge-paid paid de 2026-11-01",
      "1 / 1000 / 150 / 850 / 0 / 0",
      "1 / 1001 / 150 / 850 / 0 / 0",
    ],
  ])
})

test("the role that serves requests can't write the totals", async () => {
  await expect(database.pool.query("update platform_totals set count = 0")).rejects.toThrow(/permission denied/)
  await expect(database.pool.query("delete from platform_changes")).rejects.toThrow(/permission denied/)
})
