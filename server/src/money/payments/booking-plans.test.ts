import { afterAll, expect, test } from "vitest"
import { createPool, lookupSettings } from "#db/pools"
import { createDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { asOwner } from "../../../test-support/as-owner.ts"
import { type CapturedPlan, capturePlans } from "../../../test-support/captured-plans.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { bookPayments } from "./book.ts"

const SELLERS = 400
const BATCH = 40
const ROUNDS = 20

const database = await createTestDatabase()
await vacuum(database)
// One session, whose plans are made on first use and cached.
const pool = createPool({ url: database.url, max: 1, applicationName: "tilinta-test plans", settings: lookupSettings })
const sellerIds = await insertSellers(database.db, SELLERS)
const pageIds = await insertChargePages(
  database.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2026-11-01T12:00:00Z" })),
)

afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Books charges of different sellers. */
async function book(first: number, count: number): Promise<void> {
  await pay(await newCharges(first, count))
}

type Open = "pending" | "expired"

async function newCharges(first: number, count: number, status: Open = "pending"): Promise<string[]> {
  return chargesOn(
    Array.from({ length: count }, (_, number) => ({
      sellerId: sellerIds[(first + number) % SELLERS] ?? "",
      pageId: pageIds[(first + number) % SELLERS] ?? "",
    })),
    status,
  )
}

/** Each on a page of its own that takes one payment. */
async function newChargesOnce(first: number, count: number): Promise<string[]> {
  const owners = Array.from({ length: count }, (_, number) => ({
    sellerId: sellerIds[(first + number) % SELLERS] ?? "",
    at: "2026-11-01T12:00:00Z",
    maxPayments: 1,
  }))
  const pages = await insertChargePages(database.db, owners)
  return chargesOn(
    owners.map(({ sellerId }, number) => ({ sellerId, pageId: pages[number] ?? "" })),
    "pending",
  )
}

async function chargesOn(pages: { sellerId: string; pageId: string }[], status: Open): Promise<string[]> {
  const ids = await insertCharges(
    database.db,
    pages.map((page) => ({ ...page, status, at: "2026-11-10T12:00:00Z" })),
  )
  const charges = await database.db.selectFrom("charges").select("txid").where("id", "in", ids).execute()
  return charges.map(({ txid }) => txid ?? "")
}

async function pay(txids: string[]): Promise<void> {
  const deps = { db: createDb(pool), clock: systemClock, log: createLog("silent") }
  await bookPayments(
    deps,
    txids.map((txid) => receiptOf(txid, 1_000)),
  )
}

async function bookOnce(first: number, count: number): Promise<void> {
  await pay(await newChargesOnce(first, count))
}

/** Books charges of different sellers that had expired when their payments, made in time, were reported. */
async function bookExpired(first: number, count: number): Promise<void> {
  await pay(await newCharges(first, count, "expired"))
}

// The first booking may run on an empty database, and the plans it prepares stay cached.
test.for([
  ["of open charges", book, 4],
  ["that completes its pages", bookOnce, 7],
  ["of expired charges", bookExpired, 5],
] as const)("a booking %s reads only the rows it books, however large the tables", async ([, run, inTriggers]) => {
  await run(0, 1)
  // Enough for the indexes to have the levels that they keep up to the end.
  for (let done = 1; done < 800; done += 400) await book(done, 400)
  const first = await capturePlans(pool, () => run(801, BATCH))
  for (let done = 801 + BATCH; done < 2_500; done += 400) await book(done, 400)
  const later = await capturePlans(pool, () => run(3_000, BATCH))
  expect(later.map(({ name }) => name)).toContain("book-payments")
  expect(later.filter(({ name }) => name === null).length).toBeGreaterThan(inTriggers)
  // A payment has two postings, which touch three accounts.
  const whole = later.flatMap(({ text, reads }) =>
    reads.filter(({ type, rows }) => type === "Seq Scan" || rows > 3 * BATCH).map((read) => ({ text, ...read })),
  )
  expect(whole).toEqual([])
  const most = 1.15 * buffersOf(first)
  if (buffersOf(later) < most) return
  // During an autovacuum or analyze, dead rows are kept and read too.
  const again = async () => buffersOf(await capturePlans(pool, () => run(4_000, BATCH)))
  await expect.poll(again, { interval: 1_000 }).toBeLessThan(most)
})

type Updated = "charges" | "charge_pages"

async function updatesOf(table: Updated): Promise<{ all: number; inPlace: number }> {
  await database.pool.query("select pg_stat_force_next_flush()")
  const { rows } = await database.pool.query<{ all: number; inPlace: number }>(
    `select n_tup_upd::int as all, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = $1`,
    [table],
  )
  return rows[0] ?? { all: 0, inPlace: 0 }
}

/** The share of the payments whose update of this table wrote no index. */
async function shareInPlace(table: Updated): Promise<number> {
  const charges = await (table === "charges" ? newCharges : newChargesOnce)(5_000, ROUNDS * BATCH)
  // Neighbours are seldom paid in one batch, which is what leaves space for the new rows in their page.
  const txids = charges.toSorted()
  await pool.query("select pg_stat_force_next_flush()")
  const before = await updatesOf(table)
  for (let round = 0; round < ROUNDS; round += 1) await pay(txids.filter((_, number) => number % ROUNDS === round))
  await pool.query("select pg_stat_force_next_flush()")
  const after = await updatesOf(table)
  expect(after.all - before.all).toBe(ROUNDS * BATCH)
  return (after.inPlace - before.inPlace) / (ROUNDS * BATCH)
}

// An index that names what a payment changes would have to be written by each.
test.for(["charges", "charge_pages"] as const)(
  "payments update %s in place, without writing an index",
  async (table) => {
    // An autovacuum or analyze keeps old rows in the way for as long as it runs.
    await asOwner(database, `alter table ${table} set (autovacuum_enabled = off)`)
    await expect.poll(() => shareInPlace(table), { interval: 1_000 }).toBeGreaterThan(0.9)
  },
)

/** Buffers of triggers are included in their statement's. */
function buffersOf(plans: CapturedPlan[]): number {
  return plans.filter(({ name }) => name !== null).reduce((sum, { buffers }) => sum + buffers, 0)
}
