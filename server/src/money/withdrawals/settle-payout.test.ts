import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { payoutsUnderWay, sellerHeld } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import type { PspPayout } from "#psp/psp"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { approveWithdrawal } from "./decide.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts, settlePayout } from "./pay.ts"
import { requestWithdrawal } from "./request.ts"
import type { Withdrawal } from "./withdrawal.ts"

type End = "completed" | "refused"

let sandbox: Sandbox
let adminId: string

beforeAll(async () => {
  sandbox = await openSandbox()
  adminId = await createSeller(sandbox)
  await sandbox.control({ liquidacaoMs: 600_000 })
  // Another payout under way fills the shared account, whose floor would otherwise refuse a second outcome.
  await payoutUnderWay(50_000)
})

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await verifyWithdrawals(sandbox.db)).toEqual([])
  await sandbox.close()
})

async function payoutUnderWay(cents: number): Promise<Withdrawal> {
  const sellerId = await createSeller(sandbox)
  await giveBalance(sandbox.db, sellerId, cents)
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  const decision = { id, admin: { id: adminId, address: null }, adminNotes: "" }
  const { withdrawal } = await approveWithdrawal(sandbox, decision)
  await sendPayouts(sandbox)
  return withdrawal
}

function hearing(end: End, before: Promise<unknown> = Promise.resolve()) {
  const heard: PspPayout = { state: end, amountCents: null, endToEndId: null, reason: null, settledAt: null }
  const find = async () => {
    await before
    return heard
  }
  async function* list() {
    yield []
  }
  return { ...sandbox, payouts: { reportsReturns: true, find, send: find, list } }
}

async function stateOf({ id, sellerId }: Withdrawal) {
  const row = sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id)
  return {
    status: (await row.executeTakeFirstOrThrow()).status,
    available: await readSellerBalance(sandbox.db, sellerId),
    held: await readBalance(sandbox.db, sellerHeld(sellerId)),
    underWay: await readBalance(sandbox.db, payoutsUnderWay("simulator")),
  }
}

const settledAs = {
  completed: { status: "completed", available: 0, held: 0, underWay: 50_000 },
  refused: { status: "rejected", available: 1_000, held: 0, underWay: 50_000 },
}

const orders: [End, End][] = [
  ["completed", "refused"],
  ["refused", "completed"],
]

test.for(orders)("a payout settled as %s stays so, although another worker gets %s", async ([first, second]) => {
  const withdrawal = await payoutUnderWay(1_000)
  await settlePayout(hearing(first), withdrawal)
  await settlePayout(hearing(second), withdrawal)
  expect(await stateOf(withdrawal)).toEqual(settledAs[first])
})

test.for(orders)("two workers that get %s and %s at once settle the payout once", async (ends) => {
  for (let round = 0; round < 5; round += 1) {
    const withdrawal = await payoutUnderWay(1_000)
    const together = Promise.withResolvers<undefined>()
    const settling = ends.map((end) => settlePayout(hearing(end, together.promise), withdrawal))
    together.resolve(undefined)
    await Promise.all(settling)
    const state = await stateOf(withdrawal)
    expect(state).toEqual(state.status === "completed" ? settledAs.completed : settledAs.refused)
  }
})
