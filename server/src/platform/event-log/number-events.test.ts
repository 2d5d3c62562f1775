import { sql } from "kysely"
import type pg from "pg"
import { afterAll, expect, test } from "vitest"
import { migrate } from "#db/migrate"
import { readEvents } from "#integrations/event-feed/feed"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { createCharge } from "#selling/charges/create"
import { deleteChargePage } from "#selling/closings/closings"
import { tidyUp } from "#start/retention"
import { asOwner } from "../../../test-support/as-owner.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { appendEvents, numberEvents } from "./append.ts"
import { numberDrafts } from "./table.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

interface Shop {
  sellerId: string
  pageId: string
}

/** Its first event is page.created. */
async function openShop(): Promise<Shop> {
  const sellerId = await createSeller(sandbox)
  const { id } = await createPage(sandbox, { sellerId, maxPayments: null })
  return { sellerId, pageId: id }
}

async function logOf({ sellerId }: Shop) {
  const { rows } = await sql<{ sequence: number; type: string; subject_id: string; occurred_at: Date }>`
    select sequence, type, subject_id, occurred_at from events where seller_id = ${sellerId} order by sequence`.execute(
    sandbox.db,
  )
  return rows
}

const typesOf = async (shop: Shop) => (await logOf(shop)).map(({ type }) => type)
const append = ({ pageId }: Shop, now = new Date()) =>
  sandbox.db.transaction().execute((tx) => appendEvents(tx, "page.updated", [pageId], now))

/** Appends, and then rolls back. */
const failToAppend = ({ pageId }: Shop) =>
  sandbox.db
    .transaction()
    .execute(async (tx) => {
      await appendEvents(tx, "page.updated", [pageId], new Date())
      throw new Error("rolled back")
    })
    .catch(() => undefined)

function draft(client: pg.PoolClient, { sellerId }: Shop, { type, subject }: { type: string; subject: string }) {
  return client.query(
    "insert into event_drafts (occurred_at, seller_id, subject_id, type) values (now(), $1, $2, $3)",
    [sellerId, subject, type],
  )
}

/** In a transaction that has its id from the beginning, and ends when the caller lets it. */
async function hold<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await sandbox.pool.connect()
  try {
    await client.query("begin")
    await client.query("select pg_current_xact_id()")
    const result = await work(client)
    await client.query("commit")
    return result
  } finally {
    client.release()
  }
}

test("numbers have no holes, whatever many writers, failed and long ones, and several servers do at once", async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, openShop))
  const expected = new Map(shops.map(({ sellerId }) => [sellerId, 1]))
  const add = ({ sellerId }: Shop) => expected.set(sellerId, (expected.get(sellerId) ?? 0) + 1)
  let isWriting = true
  const numbering = Array.from({ length: 3 }, async () => {
    while (isWriting) await numberEvents(sandbox)
  })
  const long = hold(async (client) => {
    for (const shop of shops) {
      await draft(client, shop, { type: "page.updated", subject: shop.pageId })
      add(shop)
      await client.query("select pg_sleep(0.02)")
    }
  })
  const writers = shops.map(async (shop, at) => {
    for (let turn = 0; turn < 30; turn += 1) {
      if ((turn + at) % 5 === 0) await failToAppend(shop)
      else {
        await append(shop)
        add(shop)
      }
    }
  })
  await Promise.all([long, ...writers])
  isWriting = false
  await Promise.all(numbering)
  await numberAllEvents(sandbox.db)
  for (const shop of shops) {
    const sequences = (await logOf(shop)).map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: expected.get(shop.sellerId) ?? 0 }, (_, at) => at + 1))
  }
  expect(await sandbox.db.selectFrom("event_drafts").select("id").execute()).toEqual([])
})

test("nothing is numbered past a transaction that is still under way", async () => {
  const shop = await openShop()
  await numberAllEvents(sandbox.db)
  await hold(async (client) => {
    await append(shop)
    expect(await numberEvents(sandbox)).toBe(true)
    expect(await typesOf(shop)).toEqual(["page.created"])
    await draft(client, shop, { type: "charge.disputed", subject: newId() })
  })
  await numberAllEvents(sandbox.db)
  expect(await typesOf(shop)).toEqual(["page.created", "charge.disputed", "page.updated"])
  expect(await numberEvents(sandbox)).toBe(false)
})

test("a numbering that dies is done again, and leaves no event twice or out", async () => {
  const shop = await openShop()
  await append(shop)
  const dying = sandbox.db.transaction().execute(async (tx) => {
    while ((await numberDrafts(tx, 10)) === 0);
    throw new Error("died")
  })
  await expect(dying).rejects.toThrow("died")
  expect(await logOf(shop)).toEqual([])
  await numberAllEvents(sandbox.db)
  await numberAllEvents(sandbox.db)
  expect((await logOf(shop)).map(({ sequence }) => sequence)).toEqual([1, 2])
})

test.each([10_000, 1])(
  "what happened to one charge keeps its order, though the later transaction began first (%i at once)",
  async (atMost) => {
    const shop = await openShop()
    await numberAllEvents(sandbox.db)
    const subject = newId()
    await hold(async (older) => {
      await hold((younger) => draft(younger, shop, { type: "charge.created", subject }))
      await draft(older, shop, { type: "charge.refunded", subject })
      await draft(older, shop, { type: "charge.disputed", subject })
    })
    await expect
      .poll(async () => {
        await sandbox.db.transaction().execute((tx) => numberDrafts(tx, atMost))
        return typesOf(shop)
      })
      .toEqual(["page.created", "charge.created", "charge.refunded", "charge.disputed"])
  },
)

test("it keeps its order also while a third transaction holds back the later id", async () => {
  const shop = await openShop()
  await numberAllEvents(sandbox.db)
  const subject = newId()
  const types = () => typesOf(shop).then((all) => all.slice(1))
  await hold(async (older) => {
    await hold(async (third) => {
      await hold((younger) => draft(younger, shop, { type: "charge.created", subject }))
      await draft(older, shop, { type: "charge.refunded", subject })
      await older.query("commit")
      await expect.poll(() => numberEvents(sandbox).then(types)).toEqual(["charge.created", "charge.refunded"])
      await third.query("select 1")
    })
  })
})

test("a refund is told after its payment, which a third transaction holds back", async () => {
  const shop = await openShop()
  const receipt = receiptOf(await openCharge(shop), 10_000)
  const charge = sandbox.db.selectFrom("charges").select("id").where("txid", "=", receipt.txid)
  const { id: subject } = await charge.executeTakeFirstOrThrow()
  await numberAllEvents(sandbox.db)
  await hold(async (older) => {
    await hold(async () => {
      await bookPayments(sandbox, [receipt])
      await draft(older, shop, { type: "charge.refunded", subject })
      await older.query("commit")
      for (let turn = 0; turn < 3; turn += 1) await numberEvents(sandbox)
      expect(await typesOf(shop)).toEqual(["page.created", "charge.created"])
    })
  })
  await numberAllEvents(sandbox.db)
  expect(await typesOf(shop)).toEqual(["page.created", "charge.created", "charge.paid", "charge.refunded"])
})

test("a batch ends between two transactions: one of more events than that is numbered whole", async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await numberAllEvents(sandbox.db)
  await hold(async (client) => {
    for (let at = 0; at < 5; at += 1) await draft(client, shop, { type: "page.updated", subject: shop.pageId })
  })
  await append(other)
  await expect.poll(() => sandbox.db.transaction().execute((tx) => numberDrafts(tx, 2))).toBe(5)
  expect([await logOf(shop), await logOf(other)].map(({ length }) => length)).toEqual([6, 1])
  await numberAllEvents(sandbox.db)
  expect(await logOf(other)).toHaveLength(2)
})

async function openCharge({ pageId }: Shop): Promise<string> {
  const { txid } = await createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
  return txid
}

test("payments are told once each, by the plain way and by the careful one, and those of nobody not at all", async () => {
  const shop = await openShop()
  const receipts = [receiptOf(await openCharge(shop), 10_000), receiptOf(await openCharge(shop), 9_999)]
  await bookPayments(sandbox, [...receipts, receiptOf("a".repeat(32), 10_000)])
  await bookPayments(sandbox, receipts)
  await numberAllEvents(sandbox.db)
  expect((await typesOf(shop)).toSorted()).toEqual(
    ["page.created", "charge.created", "charge.created", "charge.paid", "payment.unmatched"].toSorted(),
  )
})

test.each([
  [2, "together"],
  [1, "though it had one payment too many"],
])("a page for %i payments that two complete %s is told once, before its deletion", async (maxPayments) => {
  const sellerId = await createSeller(sandbox)
  const { id: pageId } = await createPage(sandbox, { sellerId, maxPayments })
  const shop = { sellerId, pageId }
  const receipts = [receiptOf(await openCharge(shop), 10_000), receiptOf(await openCharge(shop), 10_000)]
  await bookPayments(sandbox, receipts)
  await deleteChargePage(sandbox, { id: pageId, sellerId })
  await numberAllEvents(sandbox.db)
  const types = ["page.created", "charge.created", "charge.created", "charge.paid", "charge.paid"]
  expect(await typesOf(shop)).toEqual([...types, "page.completed", "page.deleted"])
})

// Transaction ids begin anew in the PostgreSQL that a dump is restored into.
test("after a dump is restored, each event has its number, and new ones follow", async () => {
  const shop = await openShop()
  await numberAllEvents(sandbox.db)
  await bookPayments(sandbox, [receiptOf(await openCharge(shop), 10_000)])
  await append(shop)
  await asOwner(
    sandbox,
    "alter table payments disable trigger payments_are_final",
    "update payments set xid = (xid::text::bigint + 1000000000000)::text::xid8",
    "alter table payments enable trigger payments_are_final",
    "update numbered_events set until = (until::text::bigint + 1000000000000)::text::xid8",
    "update event_drafts set xid = (xid::text::bigint + 1000000000000)::text::xid8",
  )
  await migrate({ ownerUrl: sandbox.url, log: createLog("silent") })
  const restored = ["page.created", "charge.created", "charge.paid", "page.updated"]
  expect(await typesOf(shop)).toEqual(restored)
  await bookPayments(sandbox, [receiptOf(await openCharge(shop), 10_000)])
  await numberAllEvents(sandbox.db)
  await migrate({ ownerUrl: sandbox.url, log: createLog("silent") })
  await numberAllEvents(sandbox.db)
  expect(await typesOf(shop)).toEqual([...restored, "charge.created", "charge.paid"])
})

test("old events are deleted from the beginning on, the numbers go on, and reading begins at the oldest that is kept", async () => {
  const shop = await openShop()
  const now = sandbox.clock.now()
  const daysAgo = (days: number) => secondsAfter(now, -days * 86_400)
  await numberAllEvents(sandbox.db)
  for (const days of [95, 92, 80, 91, 1]) await append(shop, daysAgo(days))
  await numberAllEvents(sandbox.db)
  await asOwner(
    sandbox,
    `update events set occurred_at = now() - interval '99 days' where seller_id = '${shop.sellerId}' and sequence = 1`,
  )
  await saveSetting(sandbox.db, "EVENT_RETENTION_DAYS", 0)
  await tidyUp(sandbox)
  expect(await logOf(shop)).toHaveLength(6)
  await saveSetting(sandbox.db, "EVENT_RETENTION_DAYS", 90)
  await tidyUp(sandbox)
  await tidyUp(sandbox)
  expect((await logOf(shop)).map(({ sequence }) => sequence)).toEqual([4, 5, 6])
  await append(shop)
  await numberAllEvents(sandbox.db)
  const read = await readEvents(sandbox.db, { sellerId: shop.sellerId, after: 0, limit: 2, types: undefined })
  expect(read).toMatchObject({ events: [{ sequence: 4 }, { sequence: 5 }], next: 5, hasMore: true })
})
