import type { Cents } from "@tilinta/contract/vocabulary/money"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createPool } from "#db/pools"
import { createDb, type SoleDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { sellerHeld } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createAdmin, createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { cancelWithdrawal } from "./account.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { requestWithdrawal } from "./request.ts"

let database: TestDatabase
let otherNode: { db: SoleDb; stop(): Promise<void> }
let nodes: SoleDb[]

beforeAll(async () => {
  database = await createTestDatabase()
  const pool = createPool({ url: database.url, max: 5, applicationName: "other node", connectionMs: 60_000 })
  otherNode = { db: createDb(pool), stop: () => pool.end() }
  nodes = [database.db, otherNode.db]
})

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  expect(await verifyWithdrawals(database.db)).toEqual([])
  await otherNode.stop()
  await database.drop()
})

async function sellerWith(cents: number): Promise<string> {
  const sellerId = await createSeller(database)
  if (cents > 0) await giveBalance(database.db, sellerId, cents)
  return sellerId
}

/** Round robin, as behind a load balancer. */
function request(turn: number, sellerId: string, cents: number, key: string | null = null) {
  const db = nodes[turn % nodes.length] as SoleDb
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  return requestWithdrawal(
    { db, clock: systemClock },
    {
      seller: { id: sellerId, address: null },
      amountCents: cents as Cents,
      destination,
      idempotencyKey: key,
    },
  )
}

async function moneyOf(sellerId: string) {
  const [available, held] = await Promise.all([
    readSellerBalance(database.db, sellerId),
    readBalance(database.db, sellerHeld(sellerId)),
  ])
  return { available, held }
}

async function outcomesOf(requests: Promise<{ id: string }>[]): Promise<string[]> {
  const results = await Promise.allSettled(requests)
  return results.map((result) =>
    result.status === "fulfilled" ? "ok" : String((result.reason as { code?: string }).code),
  )
}

test("a hundred requests at once on two nodes, with money for half of them: half succeed, whoever the sellers are", async () => {
  const sellers = await Promise.all(Array.from({ length: 4 }, () => sellerWith(12_500)))
  const hot = await sellerWith(50_000)
  const wanted = [...Array.from({ length: 100 }, (_, n) => sellers[n % 4] ?? ""), ...Array<string>(100).fill(hot)]
  const outcomes = await outcomesOf(wanted.map((sellerId, turn) => request(turn >> 1, sellerId, 1_000)))
  for (const sellerId of sellers) expect(await moneyOf(sellerId)).toEqual({ available: 500, held: 12_000 })
  expect(await moneyOf(hot)).toEqual({ available: 0, held: 50_000 })
  expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(98)
  expect(new Set(outcomes)).toEqual(new Set(["ok", "insufficient_balance"]))
})

test("the same key on both nodes at once makes one withdrawal", async () => {
  const sellerId = await sellerWith(100_000)
  const made = await Promise.all(Array.from({ length: 40 }, (_, turn) => request(turn, sellerId, 700, `k${turn >> 2}`)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(10)
  expect(await moneyOf(sellerId)).toEqual({ available: 93_000, held: 7_000 })
})

test("a refusal doesn't affect requests at the same time, and each gets its own reason", async () => {
  const [rich, poor, gone] = await Promise.all([sellerWith(5_000), sellerWith(0), sellerWith(5_000)])
  await database.db.updateTable("users").set({ active: false }).where("id", "=", gone).execute()
  await request(0, rich, 100, "used")
  const outcomes = await outcomesOf([
    request(0, rich, 1_000),
    request(0, poor, 1),
    request(0, rich, 200, "used"),
    request(0, gone, 1_000),
    request(0, rich, 0),
    request(0, rich, 2_000, "new"),
  ])
  expect(outcomes).toEqual([
    "ok",
    "insufficient_balance",
    "idempotency_key_reused",
    "account_disabled",
    "validation_failed",
    "ok",
  ])
  expect(await moneyOf(rich)).toEqual({ available: 1_900, held: 3_100 })
  expect(await moneyOf(gone)).toEqual({ available: 5_000, held: 0 })
})

test("each accepted request is audited and mailed once, and refused ones leave no trace", async () => {
  const admin = await createAdmin(database)
  const sellerId = await sellerWith(300)
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => request(0, sellerId, 100, null)))
  const ids = results.flatMap((result) => (result.status === "fulfilled" ? [result.value.id] : []))
  expect(ids).toHaveLength(3)

  const records = await database.db
    .selectFrom("audit_records")
    .select(["entity_id", "actor_id", "action"])
    .where("actor_id", "=", sellerId)
    .execute()
  expect(records.map(({ entity_id }) => entity_id).toSorted()).toEqual(ids.toSorted())
  const mails = await database.db.selectFrom("mails").select("dedupe_key").where("user_id", "=", admin).execute()
  expect(mails.map(({ dedupe_key }) => dedupe_key).toSorted()).toEqual(
    ids.map((id) => `withdrawal:${id}:${admin}`).toSorted(),
  )
})

test("a request whose connection is killed is stored whole or not at all, and a retry returns it", async () => {
  const sellerId = await sellerWith(10_000)
  const [blocker, killer] = [database, database].map(({ url }) => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([blocker.connect(), killer.connect()])
  await blocker.query("begin")
  await blocker.query("lock table audit_records in exclusive mode")
  const requested = Array.from({ length: 50 }, (_, n) => request(1, sellerId, 100, `kill-${n}`))
  const answers = Promise.allSettled(requested)
  await expect
    .poll(
      async () => {
        const { rowCount } = await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'other node' and wait_event_type = 'Lock'`,
        )
        return rowCount ?? 0
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
  await blocker.query("rollback")
  await Promise.all([blocker.end(), killer.end()])
  await answers
  const { held } = await moneyOf(sellerId)
  const { count } = await database.db
    .selectFrom("withdrawals")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("seller_id", "=", sellerId)
    .executeTakeFirstOrThrow()
  expect(held).toBe(count * 100)

  await Promise.all(Array.from({ length: 50 }, (_, n) => request(n, sellerId, 100, `kill-${n}`)))
  expect(await moneyOf(sellerId)).toEqual({ available: 5_000, held: 5_000 })
})

test("concurrent requests and cancellations of one seller never deadlock", async () => {
  const sellerId = await sellerWith(100_000)
  const seller = { id: sellerId, address: null }
  async function askAndTakeBack(lane: number): Promise<void> {
    for (let turn = 0; turn < 12; turn += 1) {
      const { id } = await request(lane + turn, sellerId, 1_000)
      await cancelWithdrawal({ db: lane % 2 === 0 ? database.db : otherNode.db, clock: systemClock }, { id, seller })
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, lane) => askAndTakeBack(lane)))
  expect(await moneyOf(sellerId)).toEqual({ available: 100_000, held: 0 })
})
