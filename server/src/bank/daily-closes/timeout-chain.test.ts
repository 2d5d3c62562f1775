import { randomUUID } from "node:crypto"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { type Clock, secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { removeDueCharges } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { createCharge } from "#selling/charges/create"
import { failUnfinishedCharges } from "#selling/charges/end"
import { cancelChargePage } from "#selling/closings/closings"
import { afterToday } from "../../../test-support/after-today.ts"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { closeDays } from "./close.ts"
import { reconcilePayouts } from "./compare.ts"
import { listDailyCloses } from "./daily-close.ts"

const sandbox = await openSandbox()
await sandbox.control({ liquidacaoMs: 0, webhooksAtivos: false })

afterAll(() => sandbox.close())

/** Runs the scheduled jobs as of that many seconds from now. The bank may fail any call. */
async function runJobs(seconds: number): Promise<void> {
  const clock: Clock = { now: () => secondsAfter(new Date(), seconds) }
  const deps = withSharedClock(sandbox, clock)
  const jobs = [reconcileReceipts, reconcilePayouts, failUnfinishedCharges, removeDueCharges]
  for (const job of [...jobs, settleRefunds, settlePayouts, sendPayouts]) await job(deps).catch(() => undefined)
}

const faults = () => `${sandbox.simulatorUrl}/simulador/api/controle/falhas`

/** The bank carries out such calls but its answers are lost. */
async function loseAnswersTo(metodo: "PUT" | "PATCH"): Promise<void> {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ tipo: "timeout-apos-aceitar", metodo })
  expect((await fetch(faults(), { method: "POST", headers, body })).status).toBe(201)
}

async function envios(): Promise<{ idEnvio: string; valor: string; status: string }[]> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/envios`)
  return ((await answer.json()) as { envios: { idEnvio: string; valor: string; status: string }[] }).envios
}

test("H15: create, cancel, refund and payout with unknown outcomes end as the bank has them", async () => {
  const sellerId = await createSeller(sandbox)
  const admin = { id: await createSeller(sandbox), address: null }
  const paid = await openPaidCharge(sandbox, { sellerId })
  const open = await createPage(sandbox, { sellerId })
  await createCharge(sandbox, { pageId: open.id, customerInfo: null, idempotencyKey: null })

  await loseAnswersTo("PUT")
  await loseAnswersTo("PATCH")
  const lost = await createPage(sandbox, { sellerId })
  const requested = createCharge(sandbox, { pageId: lost.id, customerInfo: null, idempotencyKey: randomUUID() })
  await expect(requested).rejects.toMatchObject({ name: "DomainError" })
  await cancelChargePage(sandbox, { id: open.id, sellerId })
  const input = { chargeId: paid.id, amountCents: 2_000 as Cents, reason: "", origin: "seller" } as const
  await requestRefund(sandbox, { ...input, actor: { id: sellerId, address: null }, idempotencyKey: randomUUID() })
  const { id, payoutId } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 3_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  await runJobs(0)
  await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
  for (let minute = 1; minute <= 10; minute += 1) await runJobs(minute * 61)

  // The bank did everything, but no answer arrived: the money stays where no second payout could take it.
  const withdrawal = () => sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirst()
  expect(await withdrawal()).toEqual({ status: "processing" })
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500 - 1_700 - 3_000)
  expect(await envios()).toMatchObject([{ idEnvio: payoutId, valor: "30.00" }])

  await sandbox.control({ falhaApi: null })
  await fetch(faults(), { method: "DELETE" })
  await runJobs(720)
  await runJobs(785)
  expect(await withdrawal()).toEqual({ status: "completed" })
  expect(await envios()).toMatchObject([{ idEnvio: payoutId, valor: "30.00", status: "REALIZADO" }])
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500 - 1_700 - 3_000)
  const charges = await sandbox.db.selectFrom("charges").select(["status", "removal"]).orderBy("created_at").execute()
  expect(charges).toEqual([
    { status: "paid", removal: "none" },
    { status: "cancelled", removal: "done" },
    { status: "failed", removal: "done" },
  ])
  const checks = [verifyLedger, findPaymentDifferences, findRefundDifferences, verifyWithdrawals]
  expect((await Promise.all(checks.map((check) => check(sandbox.db)))).flat()).toEqual([])

  await closeDays(withSharedClock(sandbox, afterToday()))
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  expect(closes.map(({ status, mendedCount }) => [status, mendedCount])).toEqual([["ok", 0]])
})
