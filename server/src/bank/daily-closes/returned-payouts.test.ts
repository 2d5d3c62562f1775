import { afterEach, beforeEach, expect, test } from "vitest"
import { type Clock, saoPauloDay, secondsAfter } from "#kit/clock"
import { sendPayouts } from "#money/withdrawals/pay"
import { listSellersWithdrawals } from "#money/withdrawals/reads"
import { afterToday } from "../../../test-support/after-today.ts"
import { openPayoutDesk, type PayoutDesk } from "../../../test-support/payout-desk.ts"
import type { Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { processInbox } from "../../../test-support/test-webhooks.ts"
import { closeDays } from "./close.ts"
import { reconcilePayouts } from "./compare.ts"
import { getDailyClose, listDailyCloses } from "./daily-close.ts"
import { comparableFrom } from "./rules.ts"

let desk: PayoutDesk
let sandbox: Sandbox

beforeEach(async () => {
  desk = await openPayoutDesk()
  sandbox = desk.sandbox
})

afterEach(() => desk.close())

/** 30.00 of the 85.00 are paid out. */
async function paidOut(): Promise<{ id: string; payoutId: string }> {
  const id = await desk.approved(3_000)
  await sendPayouts(sandbox)
  return { id, payoutId: (await desk.rowOf(id)).payout_id ?? "" }
}

const mails = async () =>
  (
    await sandbox.db
      .selectFrom("mails")
      .select("content")
      .where("dedupe_key", "like", "withdrawal-returned:%")
      .execute()
  ).length

test("a payout that its receiver sends back is credited, and the seller reads why", async () => {
  const { id, payoutId } = await paidOut()
  expect(await desk.balance()).toBe(5_500)
  await desk.sendBack(payoutId)
  await reconcilePayouts(sandbox)
  expect(await desk.rowOf(id)).toMatchObject({
    status: "rejected",
    returned_cents: 3_000,
    return_reason: "Quem recebeu o Pix devolveu o valor.",
    end_to_end_id: expect.stringMatching(/^E/),
  })
  expect([await desk.balance(), await mails()]).toEqual([8_500, 1])
  const audit = sandbox.db.selectFrom("audit_records").select("actor_id").where("entity_id", "=", id)
  expect(await audit.where("action", "=", "withdrawal.returned").execute()).toEqual([{ actor_id: null }])
  expect(await sandbox.db.selectFrom("daily_close_differences").select("reference").execute()).toEqual([])
})

test("however often it is listed and told, also at once, it is credited once", async () => {
  const { payoutId } = await paidOut()
  await desk.sendBack(payoutId)
  await desk.tell(payoutId, "DEVOLVIDO")
  await desk.tell(payoutId, "DEVOLVIDO")
  await Promise.all([processInbox(sandbox), reconcilePayouts(sandbox), reconcilePayouts(sandbox)])
  await reconcilePayouts(sandbox)
  expect([await desk.balance(), await mails()]).toEqual([8_500, 1])
})

test("a webhook is only a reason to ask: one that lies moves nothing", async () => {
  const { id, payoutId } = await paidOut()
  await desk.tell(payoutId, "DEVOLVIDO")
  await processInbox(sandbox)
  expect([(await desk.rowOf(id)).status, await desk.balance()]).toEqual(["completed", 5_500])
})

test("a webhook alone finds it", async () => {
  const { payoutId } = await paidOut()
  await desk.sendBack(payoutId)
  await desk.tell(payoutId, "DEVOLVIDO")
  await processInbox(sandbox)
  expect(await desk.balance()).toBe(8_500)
})

test("a part that comes back leaves the rest paid", async () => {
  const { id, payoutId } = await paidOut()
  await desk.sendBack(payoutId, 1_000)
  await reconcilePayouts(sandbox)
  await reconcilePayouts(sandbox)
  expect(await desk.rowOf(id)).toMatchObject({ status: "completed", returned_cents: 1_000 })
  expect(await desk.balance()).toBe(6_500)
  const { summary } = await listSellersWithdrawals(sandbox.db, { sellerId: desk.sellerId }, { offset: 0, limit: 1 })
  expect(summary).toMatchObject({ availableCents: 6_500, withdrawnCents: 2_000 })
})

test("a payout that came back before its end was heard of is paid and credited in one", async () => {
  await desk.control("falhas", { tipo: "envio-devolvido", valor: 0 })
  const { id } = await paidOut()
  expect([(await desk.rowOf(id)).status, await desk.balance()]).toEqual(["rejected", 8_500])
})

test("the day of the payout still agrees with the bank, and the close finds what came back unheard", async () => {
  const { payoutId } = await paidOut()
  await desk.sendBack(payoutId)
  await closeDays(withSharedClock(sandbox, afterToday()))
  expect(await desk.balance()).toBe(8_500)
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const close = await getDailyClose(sandbox.db, closes[0]?.id ?? "", 200)
  expect(close).toMatchObject({ differenceCount: 0, mendedCount: 1 })
  expect(close.differences).toMatchObject([{ kind: "payout", reference: `${payoutId}/devolvido`, isMended: true }])
})

test("a payout that comes back weeks later is found by the close of that day", async () => {
  const { id, payoutId } = await paidOut()
  await desk.sendBack(payoutId)
  const connected = saoPauloDay(secondsAfter(new Date(), 30 * 86_400))
  await sandbox.db
    .updateTable("psp_connections")
    .set({ connected_at: new Date(`${connected}T15:00:00Z`) })
    .execute()
  const clock: Clock = { now: () => secondsAfter(comparableFrom(connected), 1) }
  await closeDays(withSharedClock(sandbox, clock))
  expect([(await desk.rowOf(id)).status, await desk.balance()]).toEqual(["rejected", 8_500])
})
