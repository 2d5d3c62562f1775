import { sql } from "kysely"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { executeOne, type Tx } from "#db/transaction"
import { bookPaymentRows } from "#money/payments/reads"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { closeOpenCharges, closeOpenChargesOfSeller, saveChargeRemovals } from "./end.ts"
import { markChargesOpen } from "./new-charges-table.ts"
import { toPageCharge } from "./reads.ts"
import type { PageCharge } from "./rules.ts"

const sandbox = await openSandbox()
const other = new pg.Client({ connectionString: sandbox.url })
const watcher = new pg.Client({ connectionString: sandbox.url })
await Promise.all([other.connect(), watcher.connect()])

afterAll(async () => {
  await Promise.all([other.end(), watcher.end()])
  await sandbox.close()
})

interface Pair {
  pageId: string
  sellerId: string
  /** Ordered by id. */
  charges: [PageCharge, PageCharge]
}

/** Two charges of one page. The first was written last, so that a scan in heap order meets it second. */
async function pairOf(status: "creating" | "pending", ends: Date): Promise<Pair> {
  const sellerId = await createSeller(sandbox)
  const { id: pageId } = await createPage(sandbox, { sellerId })
  const at = new Date().toISOString()
  const ids = await insertCharges(
    sandbox.db,
    [1, 2].map(() => ({ sellerId, pageId, status, at })),
  )
  const [first = "", second = ""] = ids.toSorted()
  const pixCode = status === "creating" ? null : "000201"
  for (const id of [second, first]) await other.query("update charges set pix_code = $2 where id = $1", [id, pixCode])
  await other.query("update charge_pages set expires_at = $2 where id = $1", [pageId, ends])
  const rows = await sandbox.db.selectFrom("charges").selectAll().where("page_id", "=", pageId).orderBy("id").execute()
  expect(rows.map(({ id }) => id)).toEqual([first, second])
  return { pageId, sellerId, charges: rows.map(toPageCharge) as [PageCharge, PageCharge] }
}

const now = new Date()
const later = new Date(now.getTime() + 3_600_000)

const writers: [string, "creating" | "pending", (tx: Tx, pair: Pair) => Promise<unknown>, Date?][] = [
  [
    "codes removed at the bank",
    "pending",
    (tx, { charges }) =>
      saveChargeRemovals(tx, { done: turned(charges).map(({ id }) => id), givenUp: [], postponed: [] }),
  ],
  ["a page's end", "pending", (tx, { pageId }) => closeOpenCharges(tx, { pageId, now })],
  ["an inactivation", "pending", (tx, { sellerId }) => closeOpenChargesOfSeller(tx, sellerId, now)],
  ["payments", "pending", (tx, { charges }) => pay(tx, turned(charges))],
  [
    "payments that fill a page",
    "pending",
    async (tx, { pageId, charges: [, second] }) => {
      await watcher.query("update charge_pages set counted_at_once = true, max_payments = 1 where id = $1", [pageId])
      await pay(tx, [second])
    },
  ],
  ["new codes", "creating", (tx, { charges }) => executeOne(tx, markChargesOpen(turned(charges).map(openingOf)))],
  [
    "new codes of a page whose time is over",
    "creating",
    (tx, { charges }) => executeOne(tx, markChargesOpen(turned(charges).map(openingOf))),
    now,
  ],
]

function pay(tx: Tx, charges: PageCharge[]): Promise<void> {
  const receipts = charges.map(({ txid, amountCents }) => receiptOf(txid, amountCents))
  return executeOne(tx, bookPaymentRows(receipts, { now, answeredBy: later }))
}

function turned<Item>([first, second]: [Item, Item]): [Item, Item] {
  return [second, first]
}

const openingOf = ({ id, pageId }: PageCharge) => ({ id, pageId, pixCode: "000201", openedAt: now })

/** A writer that waits for the first charge while holding the second could deadlock with another. */
test.for(writers)(
  "%s: who waits for a charge holds none that comes after it",
  async ([, status, write, ends = later]) => {
    const pair = await pairOf(status, ends)
    const [first, second] = pair.charges
    await other.query("begin")
    await other.query("select from charges where id = $1 for update", [first.id])
    const writing = sandbox.db.transaction().execute(async (tx) => {
      await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
        tx,
      )
      await write(tx, pair)
    })
    const free = await expect
      .poll(countWaiting)
      .toBe(1)
      .then(() => other.query("select id from charges where id = $1 for update skip locked", [second.id]))
      .finally(() => other.query("rollback"))
    await writing
    expect(free.rows).toEqual([{ id: second.id }])
  },
)

async function countWaiting(): Promise<number | null> {
  const { rowCount } = await watcher.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount
}
