import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { ensurePspConnection } from "#bank/psp-inbox/connection"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { createLog } from "#kit/log"
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
import type { PspWebhook } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { createPage, createSeller } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"
import { processInbox } from "../../../test-support/test-webhooks.ts"
import { openWooviBank } from "../../../test-support/woovi-bank.ts"

const log = createLog("silent")
const deps = () => {
  const { database, chargeSteps, clock, protection } = site
  return { ...database, chargeSteps, clock, protection, psp: bank.psp, log }
}

const bank = await openWooviBank()
const site = await openTestApp({ psp: bank.psp })
await ensurePspConnection(deps(), bank.psp.name)
const sellerId = await createSeller(site.database)

afterAll(async () => {
  expect(await verifyLedger(site.db)).toEqual([])
  expect(await findPaymentDifferences(site.db)).toEqual([])
  expect(await findRefundDifferences(site.db)).toEqual([])
  expect(await verifyWithdrawals(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

async function newCharge() {
  const page = await createPage(deps(), { sellerId, maxPayments: null })
  return createCharge(deps(), { pageId: page.id, customerInfo: null, idempotencyKey: null })
}

const pay = (txid: string) => bank.receive(txid, 10_000, site.clock.now())

async function post({ body, headers }: PspWebhook) {
  const answer = await site.app.inject({
    method: "POST",
    url: "/webhooks/woovi/segredo",
    payload: body,
    headers: { "content-type": "application/json", ...headers },
  })
  return answer.statusCode
}

const statusOf = async ({ id }: { id: string }) => {
  const found = await site.db.selectFrom("charges").select("status").where("id", "=", id).executeTakeFirstOrThrow()
  return found.status
}

const balance = () => readSellerBalance(site.db, sellerId)
const netOfOne = 8_500

test("what Woovi didn't sign is refused and not kept; what it signed is asked about and booked once", async () => {
  const charge = await newCharge()
  const endToEndId = pay(charge.txid)
  const reported = bank.webhook({
    event: "OPENPIX:CHARGE_COMPLETED",
    charge: { correlationID: charge.txid },
    pix: { endToEndId },
  })
  const forged = Buffer.from(reported.body.toString().replace("COMPLETED", "COMPLETED "))
  expect(await post({ ...reported, headers: {} })).toBe(401)
  expect(await post({ ...reported, body: forged })).toBe(401)
  expect(await post({ ...reported, body: reported.body.subarray(0, -1) })).toBe(400)
  expect(await site.db.selectFrom("psp_inbox").selectAll().execute()).toEqual([])
  expect(await Promise.all([post(reported), post(reported)])).toEqual([200, 200])
  await processInbox(deps())
  expect(await statusOf(charge)).toBe("paid")
  expect(await balance()).toBe(netOfOne)
})

test("a lost webhook costs nothing: what came without one is found among the transactions", async () => {
  const before = await balance()
  const charge = await newCharge()
  pay(charge.txid)
  const stray = bank.receive(null, 777, site.clock.now())
  await reconcileReceipts(deps())
  await reconcileReceipts(deps())
  expect(await statusOf(charge)).toBe("paid")
  expect(await balance()).toBe(before + netOfOne)
  const unmatchedPayments = await site.db.selectFrom("unmatched_payments").select("end_to_end_id").execute()
  expect(unmatchedPayments).toEqual([{ end_to_end_id: stray }])
})

test("a refund goes back under one id, and the seller's share with it", async () => {
  const before = await balance()
  const charge = await newCharge()
  pay(charge.txid)
  await reconcileReceipts(deps())
  const actor = { id: sellerId, address: null }
  const input = { chargeId: charge.id, actor, origin: "seller" as const, reason: "Desistência", idempotencyKey: null }
  await requestRefund(deps(), { ...input, amountCents: 4_000 as Cents })
  for (let turn = 0; turn < 3; turn++) {
    await settleRefunds(deps())
    site.clock.pass(60)
  }
  const [refund, ...others] = await site.db
    .selectFrom("refunds")
    .selectAll()
    .where("charge_id", "=", charge.id)
    .execute()
  expect(others).toEqual([])
  expect(refund).toMatchObject({ status: "completed", return_id: bank.refunds[0]?.endToEndId })
  expect(bank.refunds).toHaveLength(1)
  await reconcileReceipts(deps())
  expect(await balance()).toBe(before + netOfOne - 3_400)
})

test("a refund begun by Woovi is booked once, however it is reported", async () => {
  const charge = await newCharge()
  const endToEndId = pay(charge.txid)
  await reconcileReceipts(deps())
  const before = await balance()
  site.clock.pass(3_600)
  bank.takeBack(endToEndId, 10_000, site.clock.now())
  const reported = { event: "PIX_TRANSACTION_REFUND_SENT_CONFIRMED", originalTransaction: { endToEndId } }
  await post(bank.webhook(reported))
  await processInbox(deps())
  await reconcileReceipts(deps())
  await reconcileRefunds(deps())
  expect(await statusOf(charge)).toBe("refunded")
  expect(await balance()).toBe(before - netOfOne)
  const refunds = await site.db.selectFrom("refunds").selectAll().where("charge_id", "=", charge.id).execute()
  expect(refunds).toMatchObject([{ origin: "bank", status: "completed", amount_cents: 10_000 }])
})

test("a withdrawal is created, approved and confirmed, and paid once", async () => {
  const pixKey = { kind: "evp", key: "123e4567-e89b-12d3-a456-426614174000" } as const
  const { id } = await requestWithdrawal(deps(), {
    seller: { id: sellerId, address: null },
    amountCents: 1_000 as Cents,
    destination: { method: "pix", pixKey },
    idempotencyKey: null,
  })
  const admin = { id: await createSeller(site.database), address: null }
  await approveWithdrawal(deps(), { id, admin, adminNotes: "" })
  bank.loseAnswers("after-accepting")
  await sendPayouts(deps())
  bank.loseAnswers(null)
  for (let turn = 0; turn < 4; turn++) {
    site.clock.pass(120)
    await settlePayouts(deps())
  }
  const found = await site.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
  expect(found).toMatchObject({ status: "completed", end_to_end_id: expect.stringMatching(/^E/) })
  expect([...bank.payments.values()]).toMatchObject([
    { value: 1_000, status: "CONFIRMED", destinationAlias: pixKey.key, destinationAliasType: "RANDOM" },
  ])
})

test("a charge that must not be paid any more is deleted at Woovi", async () => {
  const charge = await newCharge()
  await site.db
    .updateTable("charges")
    .set({ status: "cancelled", removal: "due" })
    .where("id", "=", charge.id)
    .execute()
  await removeDueCharges(deps())
  expect(bank.charges.has(charge.txid)).toBe(false)
})
