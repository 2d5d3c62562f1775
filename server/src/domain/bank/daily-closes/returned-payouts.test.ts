import { afterEach, beforeEach, expect, test } from "vitest"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { approveWithdrawal } from "#domain/money/withdrawals/decide-withdrawal"
import { listSellersWithdrawals } from "#domain/money/withdrawals/list-withdrawals"
import { requestWithdrawal } from "#domain/money/withdrawals/request-withdrawal"
import { sendPayouts } from "#domain/money/withdrawals/send-payouts"
import { verifyBooks } from "#domain/overviews/ledger-checks/verify-books"
import { type Clock, secondsAfter } from "#kit/clock"
import type { Cents } from "#kit/money"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { openPaidCharge } from "../../../../test-support/paid-charges.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../../test-support/shared-clock.ts"
import { processInbox, storeTestWebhook } from "../../../../test-support/test-webhooks.ts"
import { closeDays } from "./close-days.ts"
import { comparableFrom } from "./daily-close.ts"
import { getDailyClose, listDailyCloses } from "./list-daily-closes.ts"
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

/** 30.00 of the 85.00 are paid out. */
async function paidOut(key = "ana@loja.example"): Promise<{ id: string; payoutId: string }> {
  const { id, payoutId } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 3_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key } },
    idempotencyKey: null,
  })
  await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
  await sendPayouts(sandbox)
  return { id, payoutId: payoutId ?? "" }
}

async function control(path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/controle/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
}

const sendBack = (idEnvio: string, centavos?: number) => control("envios-devolvidos", { idEnvio, centavos })

const rowOf = (id: string) =>
  sandbox.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()

const balance = () => readSellerBalance(sandbox.db, sellerId)

const mails = async () =>
  (
    await sandbox.db
      .selectFrom("mails")
      .select("content")
      .where("dedupe_key", "like", "withdrawal-returned:%")
      .execute()
  ).length

const told = (idEnvio: string, status = "DEVOLVIDO") =>
  storeTestWebhook(
    sandbox,
    Buffer.from(JSON.stringify({ pix: [{ tipo: "SOLICITACAO", status, gnExtras: { idEnvio } }] })),
  )

const tomorrow: Clock = { now: () => secondsAfter(comparableFrom(saoPauloDay(new Date())), 1) }

test("a payout that its receiver sends back is credited, and the seller reads why", async () => {
  const { id, payoutId } = await paidOut()
  expect(await balance()).toBe(5_500)
  await sendBack(payoutId)
  await reconcilePayouts(sandbox)
  expect(await rowOf(id)).toMatchObject({
    status: "rejected",
    returned_cents: 3_000,
    return_reason: "Quem recebeu o Pix devolveu o valor.",
    end_to_end_id: expect.stringMatching(/^E/),
  })
  expect([await balance(), await mails()]).toEqual([8_500, 1])
  const audit = sandbox.db.selectFrom("audit_records").select("actor_id").where("entity_id", "=", id)
  expect(await audit.where("action", "=", "withdrawal.returned").execute()).toEqual([{ actor_id: null }])
  expect(await sandbox.db.selectFrom("daily_close_differences").select("reference").execute()).toEqual([])
})

test("however often it is listed and told, also at once, it is credited once", async () => {
  const { payoutId } = await paidOut()
  await sendBack(payoutId)
  await told(payoutId)
  await told(payoutId)
  await Promise.all([processInbox(sandbox), reconcilePayouts(sandbox), reconcilePayouts(sandbox)])
  await reconcilePayouts(sandbox)
  expect([await balance(), await mails()]).toEqual([8_500, 1])
})

test("a webhook is only a reason to ask: one that lies moves nothing", async () => {
  const { id, payoutId } = await paidOut()
  await told(payoutId)
  await processInbox(sandbox)
  expect([(await rowOf(id)).status, await balance()]).toEqual(["completed", 5_500])
})

test("a webhook alone finds it", async () => {
  const { payoutId } = await paidOut()
  await sendBack(payoutId)
  await told(payoutId)
  await processInbox(sandbox)
  expect(await balance()).toBe(8_500)
})

test("a part that comes back leaves the rest paid", async () => {
  const { id, payoutId } = await paidOut()
  await sendBack(payoutId, 1_000)
  await reconcilePayouts(sandbox)
  await reconcilePayouts(sandbox)
  expect(await rowOf(id)).toMatchObject({ status: "completed", returned_cents: 1_000 })
  expect(await balance()).toBe(6_500)
  const { summary } = await listSellersWithdrawals(sandbox.db, { sellerId }, { offset: 0, limit: 1 })
  expect(summary).toMatchObject({ availableCents: 6_500, withdrawnCents: 2_000 })
})

test("a payout that came back before its end was heard of is paid and credited in one", async () => {
  await control("falhas", { tipo: "envio-devolvido", valor: 0 })
  const { id } = await paidOut()
  expect([(await rowOf(id)).status, await balance()]).toEqual(["rejected", 8_500])
})

test("the day of the payout still agrees with the bank, and the close finds what came back unheard", async () => {
  const { payoutId } = await paidOut()
  await sendBack(payoutId)
  await closeDays(withSharedClock(sandbox, tomorrow))
  expect(await balance()).toBe(8_500)
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const close = await getDailyClose(sandbox.db, closes[0]?.id ?? "", 200)
  expect(close).toMatchObject({ differenceCount: 0, mendedCount: 1 })
  expect(close.differences).toMatchObject([{ kind: "payout", reference: `${payoutId}/devolvido`, isMended: true }])
})

test("a payout that comes back weeks later is found by the close of that day", async () => {
  const { id, payoutId } = await paidOut()
  await sendBack(payoutId)
  const connected = saoPauloDay(secondsAfter(new Date(), 30 * 86_400))
  await sandbox.db
    .updateTable("psp_connections")
    .set({ connected_at: new Date(`${connected}T15:00:00Z`) })
    .execute()
  const clock: Clock = { now: () => secondsAfter(comparableFrom(connected), 1) }
  await closeDays(withSharedClock(sandbox, clock))
  expect([(await rowOf(id)).status, await balance()]).toEqual(["rejected", 8_500])
})
