import { sql } from "kysely"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { createEvents } from "#events/events"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import { findPlatformDifferences } from "#platform/totals/reads"
import type { PaymentReceived } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const sandbox = await openSandbox()
const watcher = new pg.Client({ connectionString: sandbox.url })
await watcher.connect()

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await findPlatformDifferences(sandbox.db)).toEqual([])
  await watcher.end()
  await sandbox.close()
})

interface Sale {
  sellerId: string
  chargeId: string
  receipt: PaymentReceived
}

async function newSales(count: number, maxPayments: number | null = null): Promise<[Sale, ...Sale[]]> {
  const sellerId = await createSeller(sandbox)
  const { id: pageId } = await createPage(sandbox, { sellerId, maxPayments })
  const charges: Awaited<ReturnType<typeof createCharge>>[] = []
  // One after the other: a hundred at once may outlast the provider's deadline, which isn't what is tested.
  while (charges.length < count) {
    charges.push(await createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null }))
  }
  return charges.map(({ id, txid }) => ({ sellerId, chargeId: id, receipt: receiptOf(txid, 10_000) })) as [
    Sale,
    ...Sale[],
  ]
}

const receiptsOf = (sales: Sale[]) => sales.map(({ receipt }) => receipt)

/** Whether the payments were booked in one transaction. */
async function transactionsOf(sales: Sale[]): Promise<number> {
  const ids = receiptsOf(sales).map(({ endToEndId }) => endToEndId)
  const { rows } = await sql<{ count: number }>`
    select count(distinct xid) as count from payments where end_to_end_id = any(${ids}::text[])`.execute(sandbox.db)
  return rows[0]?.count ?? 0
}

test("a hundred payments are booked at once by one statement, and their charges are told of", async () => {
  const sales = await newSales(101)
  const events = createEvents({ url: sandbox.url, log: createLog("silent") })
  const heard = new Set<string>()
  let isListening = false
  events.onSeller(sales[0].sellerId, (id) => (id === null ? (isListening = true) : heard.add(id)))
  await expect.poll(() => isListening).toBe(true)
  await bookPayments(sandbox, receiptsOf(sales))
  await expect.poll(() => heard.size).toBe(101)
  await events.stop()
  expect(heard).toEqual(new Set(sales.map(({ chargeId }) => chargeId)))
  expect(await transactionsOf(sales)).toBe(1)
  expect(await readSellerBalance(sandbox.db, sales[0].sellerId)).toBe(101 * 8_500)
})

test("the same payments in three batches at once, and once more, are booked once", async () => {
  const sales = await newSales(40)
  const all = receiptsOf(sales)
  await Promise.all([
    bookPayments(sandbox, all),
    bookPayments(sandbox, all.toReversed()),
    bookPayments(sandbox, [...all, ...all]),
    ...all.map((receipt) => bookPayments(sandbox, [receipt])),
  ])
  await bookPayments(sandbox, all)
  expect(await readSellerBalance(sandbox.db, sales[0].sellerId)).toBe(40 * 8_500)
})

test.for([
  ["of an unknown txid", async () => receiptOf("nobodyknowsthistxid0000000000002", 10_000), "unknown_txid"],
  ["without a txid", async () => receiptOf(null, 10_000), "unknown_txid"],
  [
    "of another amount",
    async () => ({ ...(await newSales(1))[0].receipt, amountCents: 9_999 }) as PaymentReceived,
    "wrong_amount",
  ],
  ["at another bank", async () => ({ ...(await newSales(1))[0].receipt, provider: "other" }), "unknown_txid"],
  ["for a page that has its payments", async () => (await afterTheLast()).receipt, null],
  ["that completes a page with another open code", async () => (await newSales(2, 1))[0].receipt, null],
  ["of an expired charge", () => receiptOfEnded("expired"), null],
  ["of a cancelled charge", () => receiptOfEnded("cancelled"), null],
] as const)("a payment %s is booked with the others of its batch, each as it should be", async ([, odd, reason]) => {
  const sales = await newSales(3)
  const other = await odd()
  await bookPayments(sandbox, [...receiptsOf(sales), other])
  expect(await transactionsOf([...sales, { ...sales[0], receipt: other }])).toBe(1)
  expect(await readSellerBalance(sandbox.db, sales[0].sellerId)).toBe(3 * 8_500)
  const row = await sandbox.db
    .selectFrom("payments")
    .select("reason")
    .where("end_to_end_id", "=", other.endToEndId)
    .executeTakeFirstOrThrow()
  expect(row.reason).toBe(reason)
})

async function afterTheLast(): Promise<Sale> {
  const [first, second] = (await newSales(2, 1)) as [Sale, Sale]
  await bookPayments(sandbox, [first.receipt])
  return second
}

async function receiptOfEnded(status: "expired" | "cancelled"): Promise<PaymentReceived> {
  const [{ chargeId, receipt }] = await newSales(1)
  await sandbox.db.updateTable("charges").set({ status }).where("id", "=", chargeId).execute()
  return receipt
}

test("a payment that was booked for another charge pays no second one, and its neighbours are booked", async () => {
  const [first, second, third] = (await newSales(3)) as [Sale, Sale, Sale]
  await bookPayments(sandbox, [first.receipt])
  const again = { ...second.receipt, endToEndId: first.receipt.endToEndId }
  await bookPayments(sandbox, [again, third.receipt])
  expect(await readSellerBalance(sandbox.db, first.sellerId)).toBe(2 * 8_500)
  const { rows } = await sql<{ status: string }>`select status from charges where id = ${second.chargeId}`.execute(
    sandbox.db,
  )
  expect(rows).toEqual([{ status: "pending" }])
})

interface PageState {
  status: string
  count: number
  duplicates: number
  open: number
}

async function pageOf({ chargeId }: Sale): Promise<PageState | undefined> {
  const { rows } = await sql<PageState>`
    select page.status, page.payments_count as count,
      (select count(*) from charges where page_id = page.id and is_duplicate) as duplicates,
      (select count(*) from open_charges where page_id = page.id) as open
    from charge_pages page where id = (select page_id from charges where id = ${chargeId})`.execute(sandbox.db)
  return rows[0]
}

test("payments on pages with a limit are booked with the others, and the last one completes its page", async () => {
  const once = await newSales(1, 1)
  const full = await newSales(2, 2)
  const open = await newSales(3, 5)
  const all = [...(await newSales(3)), ...once, ...full, ...open]
  await bookPayments(sandbox, receiptsOf(all))
  expect(await transactionsOf(all)).toBe(1)
  const none = { duplicates: 0, open: 0 }
  expect(await pageOf(once[0])).toEqual({ status: "completed", count: 1, ...none })
  expect(await pageOf(full[0])).toEqual({ status: "completed", count: 2, ...none })
  expect(await pageOf(open[0])).toEqual({ status: "active", count: 3, ...none })
  await bookPayments(sandbox, receiptsOf(all))
  expect([await pageOf(once[0]), await pageOf(open[0])]).toMatchObject([{ count: 1 }, { count: 3 }])
  expect(await readSellerBalance(sandbox.db, full[0].sellerId)).toBe(2 * 8_500)
})

test("more payments in one batch than the page takes: all are credited, the surplus is marked", async () => {
  const sales = await newSales(5, 3)
  await bookPayments(sandbox, receiptsOf(sales))
  expect(await pageOf(sales[0])).toEqual({ status: "completed", count: 5, duplicates: 2, open: 0 })
  expect(await readSellerBalance(sandbox.db, sales[0].sellerId)).toBe(5 * 8_500)
})

test("the last payments that pages take, in batches at once, complete each page once", async () => {
  const pages = await Promise.all(Array.from({ length: 8 }, () => newSales(3, 2)))
  const nth = (at: number) => receiptsOf(pages.map((sales) => sales[at] as Sale))
  await Promise.all([
    bookPayments(sandbox, nth(0)),
    bookPayments(sandbox, nth(1).toReversed()),
    bookPayments(sandbox, nth(2)),
    bookPayments(sandbox, nth(1)),
    ...nth(0).map((receipt) => bookPayments(sandbox, [receipt])),
  ])
  const states = await Promise.all(pages.map(([first]) => pageOf(first)))
  expect(states).toEqual(pages.map(() => ({ status: "completed", count: 3, duplicates: 1, open: 0 })))
  const balances = await Promise.all(pages.map(([{ sellerId }]) => readSellerBalance(sandbox.db, sellerId)))
  expect(balances).toEqual(pages.map(() => 3 * 8_500))
})

test("a code that is asked for while its page is completed is ended with the others", async () => {
  const [sale] = await newSales(1, 1)
  const holder = await sandbox.pool.connect()
  try {
    await holder.query("begin")
    await holder.query("select from charge_pages where id = (select page_id from charges where id = $1) for share", [
      sale.chargeId,
    ])
    const booking = bookPayments(sandbox, [sale.receipt])
    await expect.poll(countWaiting).toBe(1)
    await holder.query(
      `insert into charges (
        id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
        pix_code, expires_at, created_at, updated_at
      )
      select gen_random_uuid(), seller_id, page_id, txid || 'b', provider, status, amount_cents, fee_basis_points, fee_cents,
        net_cents, page_title, pix_code, expires_at, created_at, updated_at
      from charges where id = $1`,
      [sale.chargeId],
    )
    await holder.query("commit")
    await booking
  } finally {
    holder.release()
  }
  expect(await pageOf(sale)).toEqual({ status: "completed", count: 1, duplicates: 0, open: 0 })
  const { rows } = await sql<{ status: string; removal: string }>`
    select status, removal from charges where txid = ${`${sale.receipt.txid}b`}`.execute(sandbox.db)
  expect(rows).toEqual([{ status: "cancelled", removal: "due" }])
})

test("a page that is cancelled while a payment waits for it stays cancelled, and the payment is credited", async () => {
  const [sale] = await newSales(1, 1)
  const holder = await sandbox.pool.connect()
  try {
    await holder.query("begin")
    const ofSale = "(select page_id from charges where id = $1)"
    await holder.query(`update charge_pages set status = 'cancelled' where id = ${ofSale}`, [sale.chargeId])
    const booking = bookPayments(sandbox, [sale.receipt])
    await expect.poll(countWaiting).toBe(1)
    await holder.query("update charges set status = 'cancelled', removal = 'due' where id = $1", [sale.chargeId])
    await holder.query("commit")
    await booking
  } finally {
    holder.release()
  }
  expect(await pageOf(sale)).toEqual({ status: "cancelled", count: 1, duplicates: 0, open: 0 })
  expect(await readSellerBalance(sandbox.db, sale.sellerId)).toBe(8_500)
})

test("a charge that changes while the payments wait for it is paid as it is then", async () => {
  const sales = await newSales(2)
  const holder = await sandbox.pool.connect()
  try {
    await holder.query("begin")
    await holder.query("update charges set opened_at = now(), updated_at = now() where id = $1", [sales[0].chargeId])
    const booking = bookPayments(sandbox, receiptsOf(sales))
    await expect.poll(countWaiting).toBe(1)
    await holder.query("commit")
    await booking
  } finally {
    holder.release()
  }
  expect(await transactionsOf(sales)).toBe(1)
  expect(await readSellerBalance(sandbox.db, sales[0].sellerId)).toBe(2 * 8_500)
})

async function countWaiting(): Promise<number | undefined> {
  const { rows } = await watcher.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'book_payments'",
  )
  return rows[0]?.count
}

// A booking that waited for one charge while holding a later one could deadlock with another.
test("who waits for a charge holds none that comes after it, though its page comes before", async () => {
  const sellerId = await createSeller(sandbox)
  const pages = [await createPage(sandbox, { sellerId }), await createPage(sandbox, { sellerId })]
  const charges = []
  for (const { id: pageId } of pages.toSorted((one, other) => (one.id < other.id ? 1 : -1))) {
    charges.push(await createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null }))
  }
  const [first, second] = charges.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  await watcher.query("begin")
  await watcher.query("select from charges where id = $1 for update", [first?.id])
  const booking = bookPayments(
    sandbox,
    charges.map(({ txid }) => receiptOf(txid, 10_000)),
  )
  const free = await expect
    .poll(countBlocked)
    .toBe(1)
    .then(() => watcher.query("select id from charges where id = $1 for update skip locked", [second?.id]))
    .finally(() => watcher.query("rollback"))
  await booking
  expect(free.rows).toEqual([{ id: second?.id }])
})

// A booking that waited for one account while holding a later one could deadlock with another.
test("who waits for an account holds none that comes after it", async () => {
  const sales = [...(await newSales(2)), ...(await newSales(2))]
  const late = sales.toSorted((one, other) => (one.sellerId < other.sellerId ? 1 : -1))
  await bookPayments(sandbox, receiptsOf([late[0], late[2]] as Sale[]))
  const [lastSeller, firstSeller] = [late[1], late[3]] as [Sale, Sale]
  await watcher.query("begin")
  await watcher.query("select from ledger_accounts where id = $1 for update", [account(firstSeller)])
  const booking = bookPayments(sandbox, receiptsOf([lastSeller, firstSeller]))
  const free = await expect
    .poll(countBlocked)
    .toBe(1)
    .then(() =>
      watcher.query<{ id: string }>(
        "select id from ledger_accounts where id = any ($1) order by id for update skip locked",
        [[account(lastSeller), "fee-revenue", "psp-clearing:simulator"]],
      ),
    )
    .finally(() => watcher.query("rollback"))
  await booking
  expect(free.rows.map(({ id }) => id)).toEqual(["fee-revenue", "psp-clearing:simulator", account(lastSeller)])
})

const account = ({ sellerId }: Sale) => `seller-available:${sellerId}`

/** Also within a transaction, unlike the statistics. */
async function countBlocked(): Promise<number | undefined> {
  const { rows } = await watcher.query<{ count: number }>(
    "select count(*)::int as count from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid)) and not granted",
  )
  return rows[0]?.count
}
