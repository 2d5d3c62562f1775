import { afterEach, beforeEach, expect, test } from "vitest"
import { settleWithdrawalByHand } from "#domain/money/hand-settlements/settle-withdrawal-by-hand"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { approveWithdrawal } from "#domain/money/withdrawals/decide-withdrawal"
import { requestWithdrawal } from "#domain/money/withdrawals/request-withdrawal"
import { returnWithdrawal } from "#domain/money/withdrawals/return-withdrawal"
import { sendPayouts } from "#domain/money/withdrawals/send-payouts"
import { verifyBooks } from "#domain/overviews/ledger-checks/verify-books"
import { type Clock, secondsAfter } from "#kit/clock"
import type { Cents } from "#kit/money"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { pspClearing } from "#ledger/accounts"
import { readBalance } from "#ledger/read-balance"
import { PspError, type PspPayouts } from "#psp/psp"
import { openPaidCharge } from "../../../../test-support/paid-charges.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../../test-support/shared-clock.ts"
import { processInbox, storeTestWebhook } from "../../../../test-support/test-webhooks.ts"
import { closeDays } from "./close-days.ts"
import { comparableFrom } from "./daily-close.ts"
import { reconcilePayouts } from "./reconcile-payouts.ts"

let sandbox: Sandbox
let adminId: string
let sellerId: string

beforeEach(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ liquidacaoMs: 0 })
  adminId = await createSeller(sandbox)
  await sandbox.db.updateTable("users").set({ role: "admin" }).where("id", "=", adminId).execute()
  sellerId = (await openPaidCharge(sandbox)).sellerId
})

afterEach(async () => {
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
  await sandbox.close()
})

const admin = () => ({ id: adminId, address: null })
const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })
const day = 86_400 + 60

async function request(cents: number): Promise<string> {
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  return id
}

/** 30.00 of the 85.00 leave the bank, which says nothing of them; a person says that they didn't. */
async function takenAsNotPaid(outcome: "paid" | "not_paid" = "not_paid"): Promise<{ id: string; payoutId: string }> {
  const id = await request(3_000)
  await approveWithdrawal(sandbox, { id, admin: admin(), adminNotes: "" })
  const real = sandbox.psp.payouts as PspPayouts
  const send = async (order: Parameters<PspPayouts["send"]>[0]) => {
    if (outcome === "not_paid") await real.send(order)
    throw new PspError("unknown", "the answer was lost")
  }
  await sendPayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: { ...real, send } } })
  const endToEndId = outcome === "paid" ? "E9999999920261121120012345678901" : null
  const said = { id, admin: admin(), outcome, endToEndId, reason: "O extrato do banco" }
  expect(await settleWithdrawalByHand({ ...sandbox, clock: later(day) }, said)).toMatchObject({ waitsFor: null })
  return { id, payoutId: id.replaceAll("-", "") }
}

const rowOf = (id: string) =>
  sandbox.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
const balance = () => readSellerBalance(sandbox.db, sellerId)
const clearing = () => readBalance(sandbox.db, pspClearing("simulator"))
const differences = () =>
  sandbox.db.selectFrom("daily_close_differences").select(["reference", "problem", "is_mended"]).execute()

async function expectPaid(id: string): Promise<void> {
  expect(await rowOf(id)).toMatchObject({
    status: "completed",
    failure_reason: null,
    end_to_end_id: expect.stringMatching(/^E/),
    admin_notes: expect.stringContaining("O banco pagou este saque depois de ele ter sido dado como não pago"),
  })
  expect([await balance(), await clearing()]).toEqual([5_500, -7_000])
}

test("a payout that was taken as not paid and is in the bank's list leaves the balance again", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  expect(await balance()).toBe(8_500)
  await reconcilePayouts(sandbox)
  await expectPaid(id)
  expect(await differences()).toEqual([{ reference: payoutId, problem: "other_state", is_mended: true }])
  const audit = sandbox.db.selectFrom("audit_records").select("actor_id").where("entity_id", "=", id)
  expect(await audit.where("action", "=", "withdrawal.paid_after_all").execute()).toEqual([{ actor_id: null }])
})

test("however often and by however many it is found, it is booked once", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  await told(payoutId)
  await Promise.all([processInbox(sandbox), reconcilePayouts(sandbox), reconcilePayouts(sandbox)])
  await reconcilePayouts(sandbox)
  await expectPaid(id)
})

const told = (idEnvio: string) =>
  storeTestWebhook(
    sandbox,
    Buffer.from(JSON.stringify({ pix: [{ tipo: "SOLICITACAO", status: "REALIZADO", gnExtras: { idEnvio } }] })),
  )

test("a webhook alone finds it, and one that lies moves nothing", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  await told("desconhecido")
  await processInbox(sandbox)
  expect(await balance()).toBe(8_500)
  await told(payoutId)
  await processInbox(sandbox)
  await expectPaid(id)
})

test("what has left the balance meanwhile becomes a debt", async () => {
  await takenAsNotPaid()
  await request(8_000)
  await reconcilePayouts(sandbox)
  expect(await balance()).toBe(-2_500)
})

test("weeks later the daily close asks about it, although no list reaches back so far", async () => {
  const { id } = await takenAsNotPaid()
  const connected = saoPauloDay(secondsAfter(new Date(), 30 * 86_400))
  await sandbox.db
    .updateTable("psp_connections")
    .set({ connected_at: new Date(`${connected}T15:00:00Z`) })
    .execute()
  const payouts = { ...(sandbox.psp.payouts as PspPayouts), reportsReturns: false }
  const clock: Clock = { now: () => secondsAfter(comparableFrom(connected), 1) }
  await closeDays(withSharedClock({ ...sandbox, psp: { ...sandbox.psp, payouts } }, clock))
  await expectPaid(id)
})

test("a payout of another amount is booked by nobody, and left to a person", async () => {
  const { payoutId } = await takenAsNotPaid()
  const real = sandbox.psp.payouts as PspPayouts
  async function* list(...asked: Parameters<PspPayouts["list"]>) {
    for await (const listed of real.list(...asked)) yield listed.map((each) => ({ ...each, amountCents: 1 as Cents }))
  }
  await reconcilePayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: { ...real, list } } })
  expect(await balance()).toBe(8_500)
  expect(await differences()).toEqual([{ reference: payoutId, problem: "other_amount", is_mended: false }])
})

test("one that came back, too, is where it was: in the balance", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/controle/envios-devolvidos`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ idEnvio: payoutId }),
  })
  expect(answer.ok).toBe(true)
  await reconcilePayouts(sandbox)
  expect(await rowOf(id)).toMatchObject({ status: "rejected", returned_cents: 3_000 })
  expect(await balance()).toBe(8_500)
})

test("one that people took as paid and the bank refuses can be returned by an admin", async () => {
  const { id } = await takenAsNotPaid("paid")
  expect(await balance()).toBe(5_500)
  await returnWithdrawal(sandbox, { id, admin: admin(), reason: "O banco diz que não pagou" })
  expect([(await rowOf(id)).status, await balance()]).toEqual(["rejected", 8_500])
})
