import { sql } from "kysely"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { migrate } from "#db/migrate"
import { DomainError } from "#kit/errors"
import { createLog } from "#kit/log"
import { findPlatformDifferences } from "#platform/totals/reads"
import { foldPlatformChanges, readPaidPerDay } from "#platform/totals/totals"
import { getOwnChargePage } from "#selling/charge-pages/change"
import { listChargePages } from "#selling/charge-pages/list-reads"
import { findPublicChargePage } from "#selling/charge-pages/public-page"
import { createCharge } from "#selling/charges/create"
import { foldChargeChanges, listSellersCharges } from "#selling/charges/lists"
import { updateChargePage } from "#selling/closings/closings"
import { asOwner } from "../../../test-support/as-owner.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { foldPayments } from "./fold.ts"
import { foldPaymentRows } from "./table.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const sandbox = await openSandbox()
const watcher = new pg.Client({ connectionString: sandbox.url })
await watcher.connect()

afterAll(async () => {
  await expectExact()
  await watcher.end()
  await sandbox.close()
})

async function expectExact(): Promise<void> {
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await findPlatformDifferences(sandbox.db)).toEqual([])
}

interface Shop {
  sellerId: string
  pageId: string
}

async function openShop(maxPayments: number | null = null): Promise<Shop> {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, maxPayments })
  return { sellerId, pageId: page.id }
}

async function newReceipt({ pageId }: Shop) {
  const { txid } = await createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
  return receiptOf(txid, 10_000)
}

const sell = async (shop: Shop) => bookPayments(sandbox, [await newReceipt(shop)])

const limit = ({ pageId, sellerId }: Shop, maxPayments: number) =>
  updateChargePage(sandbox, { id: pageId, sellerId, changes: { maxPayments } })

/** The number of payments, as each screen shows it. */
async function countsOf({ sellerId, pageId }: Shop): Promise<number[]> {
  const [page, listed, charges] = await Promise.all([
    getOwnChargePage(sandbox, { id: pageId, sellerId }),
    listChargePages(sandbox, { sellerId, offset: 0, limit: 10 }),
    listSellersCharges(sandbox, { sellerId }, { offset: 0, limit: 10 }),
  ])
  const shared = await findPublicChargePage(sandbox.db, sandbox.clock, page.uniqueLink)
  const ofPages = [page, ...listed.pages, shared?.page].map((each) => each?.paymentsCount ?? 0)
  return [...ofPages, charges.summary.paidCount, charges.summary.today.count]
}

async function paidOnPlatform(): Promise<number> {
  const days = await readPaidPerDay(sandbox.db, {})
  return days.reduce((sum, { count }) => sum + count, 0)
}

const waiting = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from unfolded_payments`.execute(sandbox.db)
  return rows[0]?.count ?? 0
}

async function foldAll(): Promise<void> {
  await foldPayments(sandbox)
  await foldPlatformChanges(sandbox)
  await foldChargeChanges(sandbox)
}

/** Transactions of other databases are in the snapshot too, and keep a fold waiting. */
async function foldAllOfThem(): Promise<void> {
  await expect.poll(() => foldAll().then(waiting)).toBe(0)
}

const foldSome = (atMost: number, atLeast = 1) =>
  sandbox.db.transaction().execute((tx) => foldPaymentRows(tx, { atMost, atLeast }))

async function foldOne(): Promise<void> {
  await expect.poll(() => foldSome(1)).toBe(1)
}

test("counts and totals are exact before a fold, in the middle of it, after it, and after another one", async () => {
  const shop = await openShop()
  await foldAllOfThem()
  const before = await paidOnPlatform()
  for (let number = 0; number < 3; number += 1) await sell(shop)
  const steps = [async () => undefined, foldOne, foldAllOfThem, foldAllOfThem]
  const left: number[] = []
  for (const step of steps) {
    await step()
    expect(await countsOf(shop)).toEqual(Array(5).fill(3))
    expect((await paidOnPlatform()) - before).toBe(3)
    await expectExact()
    left.push(await waiting())
  }
  expect(left).toEqual([3, 2, 0, 0])
})

test("more payments of one transaction than a fold takes are folded together", async () => {
  const shop = await openShop()
  const receipts = []
  for (let number = 0; number < 3; number += 1) receipts.push(await newReceipt(shop))
  await foldAllOfThem()
  await bookPayments(sandbox, receipts)
  await sell(shop)
  await expect.poll(() => foldSome(2)).toBe(3)
  await expect.poll(() => foldSome(2)).toBe(1)
  expect(await countsOf(shop)).toEqual(Array(5).fill(4))
})

/** Books a payment of the shop, which sold before, up to its balance and no further; returns what lets it go on. */
async function bookSlowly(shop: Shop): Promise<() => Promise<void>> {
  const receipt = await newReceipt(shop)
  const holder = new pg.Client({ connectionString: sandbox.url })
  await holder.connect()
  await holder.query("begin")
  await holder.query("select from ledger_accounts where id = $1 for update", [`seller-available:${shop.sellerId}`])
  const booking = bookPayments(sandbox, [receipt])
  await expect.poll(() => countWaiting("book_payments")).toBe(1)
  return async () => {
    await holder.end()
    await booking
  }
}

/** Sessions that wait for a lock in such a statement. */
async function countWaiting(statement: string): Promise<number | null> {
  const { rows } = await watcher.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1",
    [statement],
  )
  return rows[0]?.count ?? null
}

test("few payments are left for the next fold", async () => {
  const shop = await openShop()
  await foldAllOfThem()
  await sell(shop)
  await sell(shop)
  expect(await foldSome(100, 3)).toBe(0)
  expect(await waiting()).toBe(2)
  await expect.poll(() => foldSome(100, 2)).toBe(2)
})

test("a payment that commits late is folded too", async () => {
  const [early, late] = await Promise.all([openShop(), openShop()])
  await sell(late)
  const goOn = await bookSlowly(late)
  await sell(early)
  await foldAll()
  expect([await countsOf(early), await countsOf(late)]).toEqual([Array(5).fill(1), Array(5).fill(1)])
  await goOn()
  expect(await countsOf(late)).toEqual(Array(5).fill(2))
  await foldAllOfThem()
  expect(await countsOf(late)).toEqual(Array(5).fill(2))
})

test("a crash while folding folds nothing, and another node folds it meanwhile or afterwards", async () => {
  const shop = await openShop()
  await foldAllOfThem()
  await sell(shop)
  const dying = await sandbox.pool.connect()
  await dying.query("begin")
  await dying.query("select fold_payments(100, 1)")
  expect(await foldSome(100)).toBe(0)
  expect(await countsOf(shop)).toEqual(Array(5).fill(1))
  dying.release(true)
  await expect.poll(() => foldSome(100)).toBe(1)
  expect(await countsOf(shop)).toEqual(Array(5).fill(1))
})

test("a limit waits for the payments that are being booked, and counts them", async () => {
  const shop = await openShop()
  await sell(shop)
  const goOn = await bookSlowly(shop)
  const limited = limit(shop, 2).catch((error: unknown) => (error instanceof DomainError ? error.code : error))
  await expect.poll(() => countWaiting("count_page_at_once")).toBe(1)
  await goOn()
  expect(await limited).toBe("validation_failed")
  await limit(shop, 3)
  await sell(shop)
  expect(await countsOf(shop)).toEqual(Array(5).fill(3))
  const page = await getOwnChargePage(sandbox, { id: shop.pageId, sellerId: shop.sellerId })
  expect(page.status).toBe("completed")
})

test("limits and payments at once: whatever comes beyond a limit is marked, and every count is right", async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, () => openShop()))
  const receipts = await Promise.all(shops.map((shop) => Promise.all([1, 2, 3, 4].map(() => newReceipt(shop)))))
  const all = receipts.flat()
  const turns = [0, 1, 2, 3].map((turn) =>
    bookPayments(
      sandbox,
      all.filter((_, index) => index % 4 === turn),
    ),
  )
  const limits = shops.map((shop) =>
    limit(shop, 2).then(
      () => true,
      () => false,
    ),
  )
  const folds = [foldAll(), foldPayments(sandbox), foldAll()]
  await Promise.all([...turns, ...folds])
  const wereSet = await Promise.all(limits)
  const { rows } = await sql<{ id: string; unmarked: number }>`
    select page_id as id, count(*) filter (where not is_duplicate) as unmarked from charges
    where status = 'paid' and page_id = any(${shops.map(({ pageId }) => pageId)}::uuid[]) group by 1`.execute(
    sandbox.db,
  )
  const unmarked = new Map(rows.map((row) => [row.id, row.unmarked]))
  for (const [index, shop] of shops.entries()) {
    expect(await countsOf(shop)).toEqual(Array(5).fill(4))
    expect(unmarked.get(shop.pageId)).toBe(wereSet[index] === true ? 2 : 4)
  }
})

// Transaction ids begin anew in the PostgreSQL that a dump is restored into. Where all is folded, the mark alone may be ahead.
test.for([
  ["payments and marks ahead", "update payments set xid = (xid::text::bigint + 1000000000000)::text::xid8", false],
  ["marks ahead", "update payments set xid = xid", true],
] as const)(
  "after a dump with %s is restored, each payment counts once, also new ones",
  async ([, ahead, isFolded]) => {
    const [folded, last, limited] = await Promise.all([openShop(), openShop(), openShop()])
    for (const shop of [folded, limited]) await sell(shop)
    await foldAll()
    await sell(last)
    await limit(limited, 3)
    if (isFolded) await foldAllOfThem()
    await asOwner(
      sandbox,
      "alter table payments disable trigger payments_are_final",
      ahead,
      "alter table payments enable trigger payments_are_final",
      "update folded_payments set below = (below::text::bigint + 1000000000000)::text::xid8",
      "update charge_pages set folded_below = (folded_below::text::bigint + 1000000000000)::text::xid8 where folded_below > '0'",
    )
    await migrate({ ownerUrl: sandbox.url, log: createLog("silent") })
    for (const shop of [folded, last, limited]) {
      await sell(shop)
      expect(await countsOf(shop)).toEqual(Array(5).fill(2))
    }
    await foldAllOfThem()
    for (const shop of [folded, last, limited]) expect(await countsOf(shop)).toEqual(Array(5).fill(2))
    await expectExact()
  },
)

/** As each start of a server does, so many times until it is over. */
async function renumber(isOver: () => boolean = () => true): Promise<boolean[]> {
  const owner = new pg.Client({ connectionString: sandbox.url })
  await owner.connect()
  const done: boolean[] = []
  do {
    const { rows } = await owner.query<{ done: boolean }>("select renumber_restored_payments() as done")
    done.push(rows[0]?.done ?? false)
  } while (!isOver())
  await owner.end()
  return done
}

test("a server that starts while another one books takes nothing for a restored dump", async () => {
  const shops = await Promise.all([openShop(), openShop(), openShop()])
  let isOver = false
  const selling = Promise.all(
    shops.map(async (shop) => {
      for (let number = 0; number < 20; number += 1) await sell(shop)
    }),
  ).finally(() => {
    isOver = true
  })
  expect(await renumber(() => isOver)).not.toContain(true)
  await selling
  for (const shop of shops) expect(await countsOf(shop)).toEqual(Array(5).fill(20))
})

test("the verification names a count of a page that was tampered with", async () => {
  const shop = await openShop()
  await sell(shop)
  const change = (by: number) =>
    asOwner(sandbox, `update charge_pages set payments_count = payments_count + ${by} where id = '${shop.pageId}'`)
  await change(1)
  expect(await findPaymentDifferences(sandbox.db)).toEqual([
    { what: `pagamentos da página ${shop.pageId}`, expected: "1", found: "2" },
  ])
  await change(-1)
})

test.for([
  "update folded_payments set below = '0'",
  "select fold_payments_below('1')",
  "update charge_pages set counted_at_once = false",
])("the role that serves requests can't run: %s", async (statement) => {
  await expect(sandbox.pool.query(statement)).rejects.toThrow(/permission denied/)
})

test("a page has no limit while its payments are counted later", async () => {
  const { pageId } = await openShop()
  await expect(asOwner(sandbox, `update charge_pages set max_payments = 5 where id = '${pageId}'`)).rejects.toThrow(
    /charge_pages_with_limit_are_counted_at_once/,
  )
})
