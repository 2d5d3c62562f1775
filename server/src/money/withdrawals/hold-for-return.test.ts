import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { sellerAvailable } from "#ledger/accounts"
import { lockBalances } from "#ledger/post-transactions"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { PspError, type PspPayout } from "#psp/psp"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { cancelWithdrawal } from "./account.ts"
import { approveWithdrawal, rejectWithdrawal } from "./decide.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts, settlePayout } from "./pay.ts"
import { requestWithdrawal, storeRequest } from "./request.ts"
import type { Withdrawal } from "./withdrawal.ts"

let sandbox: Sandbox
let adminId: string

beforeAll(async () => {
  sandbox = await openSandbox()
  adminId = await createSeller(sandbox)
})

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await verifyWithdrawals(sandbox.db)).toEqual([])
  await sandbox.close()
})

const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const

function request(sellerId: string): Promise<Withdrawal> {
  const seller = { id: sellerId, address: null }
  return requestWithdrawal(sandbox, { seller, amountCents: 1_000 as Cents, destination, idempotencyKey: null })
}

const decisionOn = ({ id }: Withdrawal) => ({ id, admin: { id: adminId, address: null }, adminNotes: "" })

const refused: PspPayout = { state: "refused", amountCents: null, endToEndId: null, reason: null, settledAt: null }

async function refuse(pending: Withdrawal): Promise<void> {
  await approveWithdrawal(sandbox, decisionOn(pending))
  const cut = async () => Promise.reject(new PspError("unknown", "the line was cut"))
  await sendPayouts({
    ...sandbox,
    psp: { ...sandbox.psp, payouts: { reportsReturns: true, send: cut, find: cut, list: noList } },
  })
}

async function* noList() {
  yield []
}

/** Waits until another transaction is blocked by a row lock. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = () =>
    sql<{ count: number }>`
      select count(*)::int as count from pg_locks
      where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
      sandbox.db,
    )
  await expect.poll(async () => (await waiting()).rows[0]?.count).toBeGreaterThan(0)
}

const ways = {
  "the seller cancels": {
    prepare: async () => undefined,
    giveBack: (pending: Withdrawal) =>
      cancelWithdrawal(sandbox, { id: pending.id, seller: { id: pending.sellerId, address: null } }),
  },
  "an admin rejects": {
    prepare: async () => undefined,
    giveBack: (pending: Withdrawal) => rejectWithdrawal(sandbox, decisionOn(pending)),
  },
  "the bank refuses": {
    prepare: refuse,
    giveBack: (pending: Withdrawal) =>
      settlePayout(
        {
          ...sandbox,
          payouts: { reportsReturns: true, send: async () => refused, find: async () => refused, list: noList },
        },
        pending,
      ),
  },
}

// A request locks the balance, then the totals. The other order would deadlock.
test.for(Object.entries(ways))(
  "money given back (%s) waits for the seller's concurrent request, without a deadlock",
  async ([, { prepare, giveBack }]) => {
    const sellerId = await createSeller(sandbox)
    await giveBalance(sandbox.db, sellerId, 3_000)
    const [first] = [await request(sellerId), await request(sellerId)]
    await prepare(first)
    let givingBack: Promise<unknown> = Promise.resolve()
    const requestMeanwhile = async (tx: Tx) => {
      await lockBalances(tx, [sellerAvailable(sellerId)])
      givingBack = giveBack(first).catch((error: unknown) => error)
      await untilSomebodyWaits()
      const { amountCents, destination } = first
      const seller = { id: sellerId, address: null }
      await storeRequest(tx, { seller, amountCents, destination, idempotencyKey: null }, sandbox.clock.now())
    }
    await sandbox.db.transaction().execute(requestMeanwhile)
    expect(await givingBack).not.toBeInstanceOf(Error)
    expect(await readSellerBalance(sandbox.db, sellerId)).toBe(1_000)
  },
)
