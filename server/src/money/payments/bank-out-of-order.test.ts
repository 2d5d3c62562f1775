import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { secondsAfter } from "#kit/clock"
import { pspClearing } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { createCharge } from "#selling/charges/create"
import { failUnfinishedCharges } from "#selling/charges/end"
import { getPaymentStatus } from "#selling/charges/find"
import { cancelChargePage } from "#selling/closings/closings"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { removeDueCharges } from "./book.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const count = 10
/** Seconds during which the bank's answers are lost, and until everything must then be settled. */
const outage = { lasts: 600, settledWithin: 300 }

const sandbox = await openSandbox()
const adminId = await createSeller(sandbox)

afterAll(() => sandbox.close())

/** Runs the jobs on schedule while the clock advances. */
async function runJobs(from: number, to: number): Promise<void> {
  for (let second = from; second <= to; second += 30) {
    const deps = withSharedClock(sandbox, { now: () => secondsAfter(new Date(), second) })
    await failUnfinishedCharges(deps)
    await removeDueCharges(deps)
    await sendPayouts(deps)
    await settlePayouts(deps)
    await reconcileReceipts(deps).catch(() => undefined)
  }
}

async function newCharge(idempotencyKey: string | null = null) {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const ask = () => createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey })
  return { sellerId, page, ask }
}

async function sellerWithApprovedWithdrawal(key: string) {
  const { sellerId, ask } = await newCharge()
  await sandbox.pay((await ask()).pixCode)
  await reconcileReceipts(sandbox)
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 8_500 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key } },
    idempotencyKey: null,
  })
  await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
  return sellerId
}

function several<T>(make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)))
}

async function statusesOf(ids: string[]): Promise<string[]> {
  return Promise.all(ids.map((id) => getPaymentStatus(sandbox, id)))
}

async function balancesOf(sellerIds: string[]): Promise<number[]> {
  return Promise.all(sellerIds.map((id) => readSellerBalance(sandbox.db, id)))
}

test("H15: creations, cancellations and payouts whose answers were lost for ten minutes end as the bank has them", {
  timeout: 900_000,
}, async () => {
  const toCancel = await several(async () => {
    const begun = await newCharge()
    return { ...begun, charge: await begun.ask() }
  })
  const toCreate = await several((index) => newCharge(`key-${index}`))
  const toPay = await several(() => sellerWithApprovedWithdrawal("ana@loja.example"))
  const toRefuse = await several(() => sellerWithApprovedWithdrawal("recusada@loja.example"))

  await sandbox.control({ falhaApi: "timeout-apos-aceitar", liquidacaoMs: 0 })
  for (const { ask } of toCreate) await expect(ask()).rejects.toMatchObject({ code: "psp_unavailable" })
  const paidFirst = toCancel.slice(0, count / 2)
  for (const { charge } of paidFirst) expect((await sandbox.pay(charge.pixCode)).status).toBe(201)
  for (const { page } of toCancel) await cancelChargePage(sandbox, page)
  await runJobs(0, outage.lasts)

  await sandbox.control({ falhaApi: null })
  await runJobs(outage.lasts, outage.lasts + outage.settledWithin)
  const cancelled = toCancel.slice(count / 2)
  expect(await statusesOf(paidFirst.map(({ charge }) => charge.id))).toEqual(paidFirst.map(() => "pago"))
  expect(await statusesOf(cancelled.map(({ charge }) => charge.id))).toEqual(cancelled.map(() => "cancelado"))
  expect(await balancesOf(toPay)).toEqual(toPay.map(() => 0))
  expect(await balancesOf(toRefuse)).toEqual(toRefuse.map(() => 8_500))
  await expectNothingLeft()
})

async function expectNothingLeft(): Promise<void> {
  const { rows } = await sandbox.pool.query(
    `select (select count(*)::int from charges where removal = 'due' or status = 'creating') as charges,
       (select count(*)::int from withdrawals where status in ('approved', 'processing')) as withdrawals`,
  )
  expect(rows).toEqual([{ charges: 0, withdrawals: 0 }])
  const differences = [verifyLedger(sandbox.db), findPaymentDifferences(sandbox.db), verifyWithdrawals(sandbox.db)]
  expect((await Promise.all(differences)).flat()).toEqual([])
  const paidIn = 10_000 * (2 * count + count / 2)
  expect(await readBalance(sandbox.db, pspClearing("simulator"))).toBe(-(paidIn - 8_500 * count))
}
