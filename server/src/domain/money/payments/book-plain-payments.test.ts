import { sql } from "kysely"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { verifyPlatformTotals } from "#domain/platform/totals/verify-platform-totals"
import { createCharge } from "#domain/selling/charges/create-charge"
import { createEvents } from "#events/events"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/verify-ledger"
import type { PaymentReceived } from "#psp/psp"
import { createPage, createSeller, openSandbox, receiptOf, type Sandbox } from "../../../../test-support/sandbox.ts"
import { bookPayments } from "./book-payments.ts"
import { readSellerBalance } from "./read-seller-balance.ts"
import { verifyPayments } from "./verify-payments.ts"

let sandbox: Sandbox
/** The serving role doesn't see what other sessions wait for. */
let watcher: pg.Client

beforeAll(async () => {
  sandbox = await openSandbox()
  watcher = new pg.Client({ connectionString: sandbox.url })
  await watcher.connect()
})

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await verifyPayments(sandbox.db)).toEqual([])
  expect(await verifyPlatformTotals(sandbox.db)).toEqual([])
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
  const charges = await Promise.all(
    Array.from({ length: count }, () => createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })),
  )
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
  ["of a page with a limit", async () => (await newSales(1, 1))[0].receipt, null],
  ["of an expired charge", () => receiptOfEnded("expired"), null],
  ["of a cancelled charge", () => receiptOfEnded("cancelled"), null],
] as const)(
  "a payment %s takes the batch the careful way: all are booked as they should be",
  async ([, odd, reason]) => {
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
  },
)

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
