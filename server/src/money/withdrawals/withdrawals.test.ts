import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog, type Logger } from "#kit/log"
import { sellerHeld } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { findPlatformDifferences } from "#platform/totals/reads"
import { connectSimulator } from "#psp/connect-psp"
import type { Psp } from "#psp/psp"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { cancelWithdrawal } from "./account.ts"
import { approveWithdrawal, completePaidByHand, rejectWithdrawal } from "./decide.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts, settlePayouts } from "./pay.ts"
import { requestWithdrawal } from "./request.ts"
import type { Destination } from "./withdrawal.ts"

let database: TestDatabase
let admin: { id: string; address: null }
let deps: { db: TestDatabase["db"]; clock: typeof systemClock; log: Logger; psp: Psp; protection: "relaxed" }

beforeAll(async () => {
  database = await createTestDatabase()
  const log = createLog("silent")
  deps = { db: database.db, clock: systemClock, log, psp: connectSimulator(nowhere, log), protection: "relaxed" }
  admin = { id: await createSeller(database), address: null }
})

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  expect(await verifyWithdrawals(database.db)).toEqual([])
  expect(await findPlatformDifferences(database.db)).toEqual([])
  await database.drop()
})

const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }
const pix: Destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } }
const bank: Destination = {
  method: "bank_transfer",
  bankData: { bank: "Banco 1", agency: "0001", account: "12345-6", accountType: "corrente" },
}

async function sellerWith(cents: number): Promise<string> {
  const sellerId = await createSeller(database)
  await giveBalance(database.db, sellerId, cents)
  return sellerId
}

function request(sellerId: string, cents: number, { key = null as string | null, destination = pix } = {}) {
  const seller = { id: sellerId, address: null }
  return requestWithdrawal(deps, { seller, amountCents: cents as Cents, destination, idempotencyKey: key })
}

const cancel = (id: string, sellerId: string) => cancelWithdrawal(deps, { id, seller: { id: sellerId, address: null } })
const approve = (id: string, adminNotes = "") => approveWithdrawal(deps, { id, admin, adminNotes })
const reject = (id: string, adminNotes = "") => rejectWithdrawal(deps, { id, admin, adminNotes })
const complete = (id: string) => completePaidByHand(deps, { id, admin, adminNotes: "" })

async function moneyOf(sellerId: string) {
  const [available, held] = await Promise.all([
    readSellerBalance(database.db, sellerId),
    readBalance(database.db, sellerHeld(sellerId)),
  ])
  return { available, held }
}

async function statusOf(id: string): Promise<string> {
  const row = await database.db
    .selectFrom("withdrawals")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  return row.status
}

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

function codesOf(results: PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const code = result.status === "fulfilled" ? "ok" : String((result.reason as { code?: string }).code)
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

describe("requesting", () => {
  test("takes the money out of the available balance at once", async () => {
    const sellerId = await sellerWith(10_000)
    const withdrawal = await request(sellerId, 4_000)
    expect(withdrawal).toMatchObject({ status: "pending", payoutId: expect.stringMatching(/^[a-z0-9]{32}$/) })
    expect(await moneyOf(sellerId)).toEqual({ available: 6_000, held: 4_000 })
  })

  test("W01: of fifty concurrent requests for the whole balance one succeeds", async () => {
    const sellerId = await sellerWith(10_000)
    const results = await times(50, () => request(sellerId, 10_000))
    expect(codesOf(results)).toEqual({ ok: 1, insufficient_balance: 49 })
    expect(await moneyOf(sellerId)).toEqual({ available: 0, held: 10_000 })
  })

  test("W02: of two hundred concurrent requests of 1.01 over 100.00, 99 are accepted and 0.01 is left", async () => {
    const sellerId = await sellerWith(10_000)
    const results = await times(200, () => request(sellerId, 101))
    expect(codesOf(results)).toEqual({ ok: 99, insufficient_balance: 101 })
    expect(await moneyOf(sellerId)).toEqual({ available: 1, held: 9_999 })
  })

  test("sixty concurrent requests of different amounts never hold more than the balance", async () => {
    const sellerId = await sellerWith(50_000)
    const results = await times(60, (index) => request(sellerId, 900 + index * 37))
    const held = results.reduce(
      (sum, result) => sum + (result.status === "fulfilled" ? result.value.amountCents : 0),
      0,
    )
    expect(await moneyOf(sellerId)).toEqual({ available: 50_000 - held, held })
    expect(50_000 - held).toBeGreaterThanOrEqual(0)
  })

  test("W19: the same key ten times at once and once more makes one withdrawal", async () => {
    const sellerId = await sellerWith(10_000)
    const results = await times(10, () => request(sellerId, 1_000, { key: "k" }))
    const again = await request(sellerId, 1_000, { key: "k" })
    const ids = results.map((result) => (result.status === "fulfilled" ? result.value.id : result.reason))
    expect(new Set([...ids, again.id]).size).toBe(1)
    expect(await moneyOf(sellerId)).toEqual({ available: 9_000, held: 1_000 })
  })

  test("W19: the same key with another amount or destination is refused; another seller's is another key", async () => {
    const [sellerId, other] = [await sellerWith(10_000), await sellerWith(10_000)]
    await request(sellerId, 1_000, { key: "k" })
    await expect(request(sellerId, 1_001, { key: "k" })).rejects.toMatchObject({ code: "idempotency_key_reused" })
    await expect(request(sellerId, 1_000, { key: "k", destination: bank })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    })
    expect(await request(other, 1_000, { key: "k" })).toMatchObject({ sellerId: other })
  })

  test("a used key returns its withdrawal, whatever the rules say now", async () => {
    const sellerId = await sellerWith(1_000)
    const first = await request(sellerId, 1_000, { key: "k" })
    const seller = database.db.updateTable("users").where("id", "=", sellerId)
    await seller.set({ active: false }).execute()
    expect(await request(sellerId, 1_000, { key: "k" })).toEqual(first)
    await expect(request(sellerId, 1_000, { key: "another" })).rejects.toMatchObject({ code: "account_disabled" })
    await seller.set({ active: true }).execute()
  })

  test("a key that was refused for lack of money works once there is some", async () => {
    const sellerId = await sellerWith(500)
    await expect(request(sellerId, 1_000, { key: "k" })).rejects.toMatchObject({ code: "insufficient_balance" })
    await giveBalance(database.db, sellerId, 500)
    expect(await request(sellerId, 1_000, { key: "k" })).toMatchObject({ status: "pending" })
  })

  test.for([0, -100])("%d centavos are refused", async (cents) => {
    await expect(request(await sellerWith(1_000), cents)).rejects.toMatchObject({
      shownMessage: "Valor deve ser maior que zero",
    })
  })
})

describe("cancelling", () => {
  test("returns the money once, however many requests come at once", async () => {
    const sellerId = await sellerWith(10_000)
    const { id } = await request(sellerId, 10_000)
    const results = await times(10, () => cancel(id, sellerId))
    expect(codesOf(results)).toEqual({ ok: 1, withdrawal_not_pending: 9 })
    expect(await moneyOf(sellerId)).toEqual({ available: 10_000, held: 0 })
  })

  test("and approving at once: one of them wins, and the money follows it", async () => {
    for (let round = 0; round < 10; round += 1) {
      const sellerId = await sellerWith(1_000)
      const { id } = await request(sellerId, 1_000)
      const results = await Promise.allSettled([cancel(id, sellerId), approve(id)])
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      const isCancelled = (await statusOf(id)) === "cancelled"
      expect(await moneyOf(sellerId)).toEqual(
        isCancelled ? { available: 1_000, held: 0 } : { available: 0, held: 1_000 },
      )
    }
  })

  test("another seller's is forbidden", async () => {
    const { id } = await request(await sellerWith(100), 100)
    await expect(cancel(id, await sellerWith(100))).rejects.toMatchObject({ code: "withdrawal_forbidden" })
    expect(await statusOf(id)).toBe("pending")
  })
})

describe("deciding", () => {
  test("W04: rejected twenty times at once, the money returns once", async () => {
    const sellerId = await sellerWith(10_000)
    const { id } = await request(sellerId, 10_000)
    const results = await times(20, () => reject(id, "dados errados"))
    expect(codesOf(results)).toEqual({ ok: 1, withdrawal_not_pending: 19 })
    expect(await moneyOf(sellerId)).toEqual({ available: 10_000, held: 0 })
  })

  test("W05: twenty approvals and twenty rejections at once have one winner", async () => {
    const sellerId = await sellerWith(10_000)
    const { id } = await request(sellerId, 10_000)
    const results = await times(40, (index) => (index % 2 === 0 ? approve(id) : reject(id)))
    expect(codesOf(results)).toEqual({ ok: 1, withdrawal_not_pending: 39 })
    const isRejected = (await statusOf(id)) === "rejected"
    expect(await moneyOf(sellerId)).toEqual(
      isRejected ? { available: 10_000, held: 0 } : { available: 0, held: 10_000 },
    )
  })

  test("W15: admins can't decide their own withdrawals", async () => {
    await giveBalance(database.db, admin.id, 100)
    const { id } = await request(admin.id, 100)
    for (const decide of [approve, reject, complete]) {
      await expect(decide(id)).rejects.toMatchObject({ code: "own_withdrawal" })
    }
    expect(await statusOf(id)).toBe("pending")
  })

  test("W17: an inactive seller's can't be approved, and can be rejected", async () => {
    const sellerId = await sellerWith(1_000)
    const { id } = await request(sellerId, 1_000)
    await database.db.updateTable("users").set({ active: false }).where("id", "=", sellerId).execute()
    await expect(approve(id)).rejects.toMatchObject({ code: "withdrawal_seller_inactive" })
    await reject(id)
    expect(await moneyOf(sellerId)).toEqual({ available: 1_000, held: 0 })
  })

  test("W18: an ended or unknown one moves nothing", async () => {
    const sellerId = await sellerWith(1_000)
    const { id } = await request(sellerId, 1_000)
    await cancel(id, sellerId)
    for (const decide of [approve, reject]) {
      await expect(decide(id)).rejects.toMatchObject({ code: "withdrawal_not_pending" })
      await expect(decide(newId())).rejects.toMatchObject({ code: "withdrawal_not_found" })
      await expect(decide("x' or 1=1")).rejects.toMatchObject({ code: "withdrawal_not_found" })
    }
    expect(await moneyOf(sellerId)).toEqual({ available: 1_000, held: 0 })
  })

  test("a bank transfer is completed once, by hand, after its approval", async () => {
    const sellerId = await sellerWith(1_000)
    const { id } = await request(sellerId, 1_000, { destination: bank })
    await expect(complete(id)).rejects.toMatchObject({ code: "withdrawal_not_completable" })
    await approve(id)
    const results = await times(10, () => complete(id))
    expect(codesOf(results)).toEqual({ ok: 1, withdrawal_not_completable: 9 })
    expect(await moneyOf(sellerId)).toEqual({ available: 0, held: 0 })
  })

  test("a Pix that the provider sends is never completed by hand", async () => {
    const { id } = await request(await sellerWith(1_000), 1_000)
    await approve(id)
    await expect(complete(id)).rejects.toMatchObject({ code: "withdrawal_not_completable" })
  })

  test("without payouts by the provider a Pix is paid by hand, once, also when a later provider could send it", async () => {
    const sending = deps.psp
    const byHand = { ...deps, psp: { ...sending, payouts: null } }
    const sellerId = await sellerWith(2_000)
    const [before, after] = [await request(sellerId, 1_000), await request(sellerId, 1_000)]
    await approve(before.id)
    await sendPayouts(byHand)
    await approveWithdrawal(byHand, { id: after.id, admin, adminNotes: "" })
    await sendPayouts(byHand)
    await settlePayouts(byHand)
    await Promise.all([sendPayouts(deps), settlePayouts(deps)])
    for (const { id } of [before, after]) {
      const results = await times(5, () => complete(id))
      expect(codesOf(results)).toEqual({ ok: 1, withdrawal_not_completable: 4 })
    }
    expect(await moneyOf(sellerId)).toEqual({ available: 0, held: 0 })
  })

  test("every request and decision is audited", async () => {
    const sellerId = await sellerWith(1_000)
    const { id } = await request(sellerId, 1_000, { destination: bank })
    await approve(id, "conferido")
    await complete(id)
    const rows = await database.db
      .selectFrom("audit_records")
      .select(["action", "actor_id"])
      .where("entity_id", "=", id)
      .orderBy("id")
      .execute()
    expect(rows).toEqual([
      { action: "withdrawal.requested", actor_id: sellerId },
      { action: "withdrawal.approved", actor_id: admin.id },
      { action: "withdrawal.completed", actor_id: admin.id },
    ])
  })
})

// Under any concurrent interference, no money is lost or created.
test("M09: after any history the balance is what came in minus what is out or on its way", async () => {
  const sellers = await Promise.all([sellerWith(20_000), sellerWith(20_000), sellerWith(20_000)])
  const made = await times(90, async (index) => request(sellers[index % 3] ?? "", 100 + index * 13))
  const accepted = made.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
  await times(accepted.length * 2, async (index) => {
    const { id, sellerId } = accepted[index % accepted.length] ?? { id: "", sellerId: "" }
    const turn = (index * 7) % 4
    if (turn === 0) return cancel(id, sellerId)
    return turn === 1 ? reject(id) : approve(id)
  })
  for (const sellerId of sellers) {
    const rows = await database.db.selectFrom("withdrawals").selectAll().where("seller_id", "=", sellerId).execute()
    const out = rows.filter(({ status }) => status === "pending" || status === "approved")
    const held = out.reduce((sum, row) => sum + row.amount_cents, 0)
    expect(new Set(rows.map(({ status }) => status)).size).toBeGreaterThan(1)
    expect(await moneyOf(sellerId)).toEqual({ available: 20_000 - held, held })
  }
})

test("the server's role can't change what was requested", async () => {
  for (const column of ["pix_key", "amount_cents", "payout_id", "seller_id", "bank_data"]) {
    await expect(database.pool.query(`update withdrawals set ${column} = ${column}`)).rejects.toThrow(
      /permission denied/,
    )
  }
  await expect(database.pool.query("delete from withdrawals")).rejects.toThrow(/permission denied/)
})

test("the verification names a withdrawal whose status the ledger doesn't know", async () => {
  const { id } = await request(await sellerWith(1_000), 1_000)
  await database.db
    .updateTable("withdrawals")
    .set({ status: "cancelled", processed_at: new Date() })
    .where("id", "=", id)
    .execute()
  const differences = await verifyWithdrawals(database.db)
  expect(differences).toContainEqual({
    what: `lançamentos do saque ${id} (cancelled), em centavos`,
    expected: "withdrawal-returned 1000",
    found: "withdrawal-returned 0",
  })
  await database.db
    .updateTable("withdrawals")
    .set({ status: "pending", processed_at: null })
    .where("id", "=", id)
    .execute()
})
