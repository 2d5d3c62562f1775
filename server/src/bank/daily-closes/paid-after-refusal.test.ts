import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Clock, saoPauloDay, secondsAfter } from "#kit/clock"
import { pspClearing } from "#ledger/accounts"
import { readBalance } from "#ledger/reads"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { settleWithdrawalByHand } from "#money/withdrawals/hand-settlements"
import { sendPayouts } from "#money/withdrawals/pay"
import { PspError, type PspPayouts } from "#psp/psp"
import { notPaid, paid } from "../../../test-support/mute-bank.ts"
import { openPayoutDesk, type PayoutDesk } from "../../../test-support/payout-desk.ts"
import type { Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { processInbox } from "../../../test-support/test-webhooks.ts"
import { closeDays } from "./close.ts"
import { reconcilePayouts } from "./compare.ts"
import { comparableFrom } from "./rules.ts"

let desk: PayoutDesk
let sandbox: Sandbox

beforeEach(async () => {
  desk = await openPayoutDesk()
  sandbox = desk.sandbox
})

afterEach(() => desk.close())

const admin = () => ({ id: desk.adminId, address: null })
const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })
const day = 86_400 + 60

/** 30.00 of the 85.00 leave the bank, which says nothing of them; a person says that they didn't. */
async function takenAsNotPaid(outcome: "paid" | "not_paid" = "not_paid"): Promise<{ id: string; payoutId: string }> {
  const id = await desk.approved(3_000)
  const real = sandbox.psp.payouts as PspPayouts
  const send = async (order: Parameters<PspPayouts["send"]>[0]) => {
    if (outcome === "not_paid") await real.send(order)
    throw new PspError("unknown", "the answer was lost")
  }
  await sendPayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: { ...real, send } } })
  const said = outcome === "paid" ? paid : notPaid
  const settled = await settleWithdrawalByHand({ ...sandbox, clock: later(day) }, { id, admin: admin(), ...said })
  expect(settled).toMatchObject({ waitsFor: null })
  return { id, payoutId: id.replaceAll("-", "") }
}

const clearing = () => readBalance(sandbox.db, pspClearing("simulator"))
const differences = () =>
  sandbox.db.selectFrom("daily_close_differences").select(["reference", "problem", "is_mended"]).execute()

async function expectPaid(id: string): Promise<void> {
  expect(await desk.rowOf(id)).toMatchObject({
    status: "completed",
    failure_reason: null,
    end_to_end_id: expect.stringMatching(/^E/),
    admin_notes: expect.stringContaining("O banco pagou este saque depois de ele ter sido dado como não pago"),
  })
  expect([await desk.balance(), await clearing()]).toEqual([5_500, -7_000])
}

test("a payout that was taken as not paid and is in the bank's list leaves the balance again", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  expect(await desk.balance()).toBe(8_500)
  await reconcilePayouts(sandbox)
  await expectPaid(id)
  expect(await differences()).toEqual([{ reference: payoutId, problem: "other_state", is_mended: true }])
  const audit = sandbox.db.selectFrom("audit_records").select("actor_id").where("entity_id", "=", id)
  expect(await audit.where("action", "=", "withdrawal.paid_after_all").execute()).toEqual([{ actor_id: null }])
})

test("however often and by however many it is found, it is booked once", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  await desk.tell(payoutId, "REALIZADO")
  await Promise.all([processInbox(sandbox), reconcilePayouts(sandbox), reconcilePayouts(sandbox)])
  await reconcilePayouts(sandbox)
  await expectPaid(id)
})

test("a webhook alone finds it, and one that lies moves nothing", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  await desk.tell("desconhecido", "REALIZADO")
  await processInbox(sandbox)
  expect(await desk.balance()).toBe(8_500)
  await desk.tell(payoutId, "REALIZADO")
  await processInbox(sandbox)
  await expectPaid(id)
})

test("what has left the balance meanwhile becomes a debt", async () => {
  await takenAsNotPaid()
  await desk.request(8_000)
  await reconcilePayouts(sandbox)
  expect(await desk.balance()).toBe(-2_500)
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
  async function* list(...requested: Parameters<PspPayouts["list"]>) {
    for await (const listed of real.list(...requested))
      yield listed.map((each) => ({ ...each, amountCents: 1 as Cents }))
  }
  await reconcilePayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: { ...real, list } } })
  expect(await desk.balance()).toBe(8_500)
  expect(await differences()).toEqual([{ reference: payoutId, problem: "other_amount", is_mended: false }])
})

test("one that came back, too, is where it was: in the balance", async () => {
  const { id, payoutId } = await takenAsNotPaid()
  await desk.sendBack(payoutId)
  await reconcilePayouts(sandbox)
  expect(await desk.rowOf(id)).toMatchObject({ status: "rejected", returned_cents: 3_000 })
  expect(await desk.balance()).toBe(8_500)
})

test("one that people took as paid and the bank refuses can be returned by an admin", async () => {
  const { id } = await takenAsNotPaid("paid")
  expect(await desk.balance()).toBe(5_500)
  await returnWithdrawal(sandbox, { id, admin: admin(), reason: "O banco diz que não pagou" })
  expect([(await desk.rowOf(id)).status, await desk.balance()]).toEqual(["rejected", 8_500])
})
