import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { type Clock, daysAfter, saoPauloDay, secondsAfter } from "#kit/clock"
import { refundsUnderWay } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { requestWithdrawal } from "#money/withdrawals/request"
import { getPaymentProof } from "#overviews/charge-details/details"
import { type Psp, PspError } from "#psp/psp"
import { getCharge } from "#selling/charges/find"
import { tamper } from "../../../test-support/as-owner.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import {
  openPaidCharge,
  type PaidCharge,
  payCharge,
  readBankRefunds,
  takeByBank,
} from "../../../test-support/paid-charges.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { processInbox, storeTestWebhook } from "../../../test-support/test-webhooks.ts"
import { listRefunds } from "./list.ts"
import { requestRefund } from "./request.ts"
import { settleRefunds } from "./settle.ts"
import { findRefundDifferences } from "./verify-reads.ts"

const allWell = { falhaApi: null, atrasoMs: 0, liquidacaoMs: 0, devolucoesRecusadas: false, webhooksAtivos: false }

const sandbox = await openSandbox()
const adminId = await createSeller(sandbox)

beforeEach(async () => {
  await sandbox.control(allWell)
})

afterAll(async () => {
  await sandbox.control(allWell)
  await settleRefunds({ ...sandbox, clock: later(3_600) })
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await findRefundDifferences(sandbox.db)).toEqual([])
  expect(await readBalance(sandbox.db, refundsUnderWay("simulator"))).toBe(0)
  await sandbox.close()
})

const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })

const paidCharge = (options = {}) => openPaidCharge(sandbox, options)
const takenByBank = ({ endToEndId }: PaidCharge, valor: string) => takeByBank(sandbox, endToEndId, valor)
const atBank = ({ endToEndId }: PaidCharge) => readBankRefunds(sandbox, endToEndId)

interface RefundOptions {
  cents?: number
  origin?: "seller" | "admin"
  key?: string
}

function refund({ id, sellerId }: PaidCharge, { cents, origin = "seller", key }: RefundOptions = {}) {
  return requestRefund(sandbox, {
    chargeId: id,
    actor: { id: origin === "seller" ? sellerId : adminId, address: null },
    origin,
    amountCents: cents === undefined ? null : (cents as Cents),
    reason: "Produto devolvido",
    idempotencyKey: key ?? null,
  })
}

const balance = ({ sellerId }: PaidCharge) => readSellerBalance(sandbox.db, sellerId)

async function stateOf({ id }: PaidCharge) {
  const { status, refunded_cents, refunded_fee_cents } = await sandbox.db
    .selectFrom("charges")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  return { status, refunded: refunded_cents, fee: refunded_fee_cents }
}

async function refundsOf({ id }: PaidCharge) {
  return sandbox.db.selectFrom("refunds").selectAll().where("charge_id", "=", id).orderBy("created_at").execute()
}

const settle = () => settleRefunds({ ...sandbox, clock: later(120) })

async function reportToUs({ endToEndId }: PaidCharge): Promise<void> {
  const body = Buffer.from(
    JSON.stringify({ pix: [{ endToEndId, devolucoes: [{ id: "forjada", status: "DEVOLVIDO" }] }] }),
  )
  await storeTestWebhook(sandbox, body)
}

describe("requesting", () => {
  test("takes the seller's part at once, and completes when the bank says so", async () => {
    const charge = await paidCharge()
    expect(await refund(charge)).toMatchObject({ status: "processing", amountCents: 10_000, feeCents: 1_500 })
    expect(await balance(charge)).toBe(0)
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 0, fee: 0 })
    await settle()
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 10_000, fee: 1_500 })
    expect(await atBank(charge)).toMatchObject([{ valor: "100.00", status: "DEVOLVIDO" }])
    expect(await refundsOf(charge)).toMatchObject([{ status: "completed", return_id: expect.stringMatching(/^D/) }])
  })

  test("P18: a part leaves the charge paid; the last part makes it refunded and the fee's parts whole", async () => {
    const charge = await paidCharge({ reais: 33.33 })
    for (const cents of [1_111, 1_111, 1_111]) await refund(charge, { cents })
    await settle()
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 3_333, fee: 500 })
    expect(await balance(charge)).toBe(0)
  })

  test("P18: concurrent refunds never exceed what was paid", async () => {
    const charge = await paidCharge()
    const results = await times(12, () => refund(charge, { cents: 3_000 }))
    expect(codesOf(results)).toEqual({ ok: 3, validation_failed: 9 })
    expect(await balance(charge)).toBe(850)
    await settle()
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 9_000, fee: 1_350 })
  })

  test("P18: the whole amount twice, and ten times at once, goes back once", async () => {
    const charge = await paidCharge()
    expect(codesOf(await times(10, () => refund(charge)))).toEqual({ ok: 1, transaction_not_refundable: 9 })
    await settle()
    await expect(refund(charge)).rejects.toMatchObject({
      code: "transaction_not_refundable",
      shownMessage: "Esta transação já foi estornada.",
    })
    expect(await atBank(charge)).toHaveLength(1)
  })

  test("the same key, ten times at once and once more, makes one refund; another amount is refused", async () => {
    const charge = await paidCharge()
    const results = await times(10, () => refund(charge, { cents: 1_000, key: "k" }))
    const again = await refund(charge, { cents: 1_000, key: "k" })
    const ids = results.map((result) => (result.status === "fulfilled" ? result.value.id : result.reason))
    expect(new Set([...ids, again.id]).size).toBe(1)
    await expect(refund(charge, { cents: 1_001, key: "k" })).rejects.toMatchObject({ code: "idempotency_key_reused" })
    expect(await refundsOf(charge)).toHaveLength(1)
  })

  test("a seller who has withdrawn the money can't refund it, nor can an admin in their name", async () => {
    const charge = await paidCharge()
    await withdraw(charge, 5_000)
    for (const origin of ["seller", "admin"] as const) {
      await expect(refund(charge, { origin })).rejects.toMatchObject({ code: "refund_not_covered" })
    }
    expect(await refund(charge, { cents: 4_000 })).toMatchObject({ status: "processing" })
    expect(await balance(charge)).toBe(100)
  })

  test("only a paid charge, and only the seller's own", async () => {
    const charge = await paidCharge()
    const other = await paidCharge()
    await expect(refund({ ...charge, sellerId: other.sellerId })).rejects.toMatchObject({
      code: "transaction_forbidden",
    })
    await tamper(sandbox, `update charges set status = 'pending', paid_at = null where id = '${other.id}'`)
    await expect(refund(other)).rejects.toMatchObject({ code: "transaction_not_refundable" })
    await tamper(sandbox, `update charges set status = 'paid', paid_at = now() where id = '${other.id}'`)
    await expect(refund({ ...charge, id: "x" })).rejects.toMatchObject({ code: "transaction_not_found" })
    expect(await atBank(charge)).toEqual([])
  })
})

function withdraw({ sellerId }: PaidCharge, cents: number) {
  return requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
}

describe("settling", () => {
  test("the bank's refusal returns everything to the seller, once, and keeps the reason", async () => {
    await sandbox.control({ devolucoesRecusadas: true })
    const charge = await paidCharge()
    await refund(charge)
    await Promise.all([settle(), settle(), settle()])
    await settle()
    expect(await balance(charge)).toBe(8_500)
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 0, fee: 0 })
    expect(await refundsOf(charge)).toMatchObject([
      { status: "refused", failure_reason: "Devolução recusada pelo banco do pagador." },
    ])
    await sandbox.control({ devolucoesRecusadas: false })
    await refund(charge)
    await settle()
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 10_000, fee: 1_500 })
  })

  test.for(["timeout-apos-aceitar", "timeout-antes", "indisponivel"])(
    "after %s it is asked about, and never sent under a second id",
    async (falhaApi) => {
      const charge = await paidCharge()
      await refund(charge)
      await sandbox.control({ falhaApi })
      await settle()
      expect(await refundsOf(charge)).toMatchObject([{ status: "processing" }])
      expect(await balance(charge)).toBe(0)
      await sandbox.control({ falhaApi: null })
      await settleRefunds({ ...sandbox, clock: later(600) })
      expect(await stateOf(charge)).toMatchObject({ status: "refunded" })
      expect(await atBank(charge)).toHaveLength(1)
    },
  )

  test("after a crash between the bank's answer and its record, the next run finds the same refund", async () => {
    const charge = await paidCharge()
    await refund(charge, { cents: 2_500 })
    const dying: Psp = {
      ...sandbox.psp,
      async requestRefund(request) {
        await sandbox.psp.requestRefund(request)
        throw new Error("killed")
      },
    }
    await expect(settleRefunds({ ...sandbox, psp: dying, clock: later(0) })).rejects.toThrow("some of a batch failed")
    expect(await refundsOf(charge)).toMatchObject([{ status: "processing" }])
    await settle()
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 2_500, fee: 375 })
    expect(await atBank(charge)).toHaveLength(1)
  })

  test("an answer with another amount raises an alarm, and nothing moves", async () => {
    const charge = await paidCharge()
    await refund(charge, { cents: 2_500 })
    const confused: Psp = {
      ...sandbox.psp,
      findRefund: async ({ pspRefundId }) => ({
        pspRefundId,
        state: "completed",
        amountCents: 1 as Cents,
        returnId: null,
        reason: null,
        settledAt: null,
      }),
    }
    await settleRefunds({ ...sandbox, psp: confused, clock: later(0) })
    expect(await stateOf(charge)).toMatchObject({ refunded: 0 })
  })

  test("a refund paid after its refusal is booked, because the money has left", async () => {
    const charge = await paidCharge()
    const { pspRefundId } = await refund(charge)
    const hasty: Psp = {
      ...sandbox.psp,
      async requestRefund(request) {
        await sandbox.psp.requestRefund(request)
        throw new PspError("unknown", "late")
      },
      findRefund: async () => ({
        pspRefundId,
        state: "refused",
        amountCents: null,
        returnId: null,
        reason: "não",
        settledAt: null,
      }),
    }
    await sandbox.psp.requestRefund({
      endToEndId: charge.endToEndId,
      pspRefundId,
      amountCents: 10_000 as Cents,
      description: "Produto devolvido",
    })
    await settleRefunds({ ...sandbox, psp: hasty, clock: later(0) })
    expect(await balance(charge)).toBe(8_500)
    await withdraw(charge, 8_500)
    await reconcileRefunds(sandbox)
    await reconcileRefunds(sandbox)
    expect(await balance(charge)).toBe(-8_500)
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 10_000, fee: 1_500 })
    expect(await refundsOf(charge)).toMatchObject([{ status: "completed", failure_reason: "não" }])
  })
})

describe("the 90 days of Pix", () => {
  const days = (count: number) => ({ ...sandbox, clock: later(count * 86_400) })
  const ask = (deps: typeof sandbox, { id, sellerId }: PaidCharge, origin: "seller" | "admin") =>
    requestRefund(deps, {
      chargeId: id,
      actor: { id: origin === "seller" ? sellerId : adminId, address: null },
      origin,
      amountCents: 100 as Cents,
      reason: "",
      idempotencyKey: null,
    })

  test("a seller refunds until the 90th day, and then gets an error with the deadline", async () => {
    const charge = await paidCharge()
    const paid = await getCharge(sandbox.db, charge.id)
    await ask(days(90), charge, "seller")
    const inTime = { refundableCents: 9_900, deadline: { hasPassed: false } }
    expect(await listRefunds(days(90), paid, "seller")).toMatchObject(inTime)
    await expect(ask(days(91), charge, "seller")).rejects.toMatchObject({
      code: "refund_too_late",
      shownMessage: expect.stringMatching(/terminou em \d{2}\/\d{2}\/\d{4}\.$/),
    })
    const deadline = { day: daysAfter(saoPauloDay(paid.paidAt ?? new Date(0)), 90), hasPassed: true }
    expect(await listRefunds(days(91), paid, "seller")).toMatchObject({ refundableCents: 0, deadline })
    expect(await refundsOf(charge)).toHaveLength(1)
    await settleRefunds(days(91))
  })

  test("an admin may still try after it, and the bank decides", async () => {
    const charge = await paidCharge()
    const paid = await getCharge(sandbox.db, charge.id)
    expect(await listRefunds(days(91), paid, "admin")).toMatchObject({ refundableCents: 10_000 })
    await ask(days(91), charge, "admin")
    await settleRefunds(days(92))
    expect(await refundsOf(charge)).toMatchObject([{ origin: "admin", status: "completed" }])
  })
})

test("the payer's proof shows refunds once they are completed", async () => {
  const charge = await paidCharge()
  await refund(charge, { cents: 2_500 })
  expect(await getPaymentProof({ ...sandbox, secretKeys }, charge.id)).toMatchObject({ refundedCents: 0, refunds: [] })
  await settle()
  await takenByBank(charge, "10.00")
  await reconcileRefunds(sandbox)
  expect(await getPaymentProof({ ...sandbox, secretKeys }, charge.id)).toMatchObject({
    status: "pago",
    refundedCents: 3_500,
    refunds: [
      { amountCents: 2_500, returnId: expect.stringMatching(/^D/), returnedAt: expect.any(Date) },
      { amountCents: 1_000 },
    ],
  })
})

describe("begun at the bank", () => {
  test("W21: it is booked even if the seller has withdrawn everything; later receipts repay the debt first", async () => {
    const charge = await paidCharge()
    await withdraw(charge, 8_500)
    await takenByBank(charge, "100.00")
    await Promise.all([reconcileRefunds(sandbox), reconcileRefunds(sandbox), reconcileReceipts(sandbox)])
    expect(await balance(charge)).toBe(-8_500)
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 10_000, fee: 1_500 })
    await expect(withdraw(charge, 1)).rejects.toMatchObject({ code: "insufficient_balance" })
    await paidCharge({ sellerId: charge.sellerId })
    expect(await balance(charge)).toBe(0)
    await expect(withdraw(charge, 1)).rejects.toMatchObject({ code: "insufficient_balance" })
    await paidCharge({ sellerId: charge.sellerId, reais: 10 })
    await withdraw(charge, 850)
    expect(await balance(charge)).toBe(0)
  })

  test("P18: reported by a webhook ten times at once, also in parts, each part is booked once and the seller gets a mail", async () => {
    const charge = await paidCharge()
    await takenByBank(charge, "40.00")
    await takenByBank(charge, "10.00")
    await Promise.all(Array.from({ length: 10 }, () => reportToUs(charge)))
    await Promise.all([processInbox(sandbox), processInbox(sandbox), reconcileReceipts(sandbox)])
    await processInbox({ ...sandbox, clock: later(120) })
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 5_000, fee: 750 })
    expect(await balance(charge)).toBe(4_250)
    expect(await refundsOf(charge)).toHaveLength(2)
    const mails = await deliverMails(sandbox, `${charge.sellerId}@exemplo.com`)
    expect(mails.filter(({ subject }) => subject.startsWith("Pagamento estornado"))).toHaveLength(2)
  })

  test("a webhook that lies about a refund books nothing", async () => {
    const charge = await paidCharge()
    await reportToUs(charge)
    await processInbox(sandbox)
    expect(await refundsOf(charge)).toEqual([])
    expect(await balance(charge)).toBe(8_500)
  })

  test("P18: a refund known before its payment: both are booked, in their order", async () => {
    const charge = await payCharge(sandbox)
    await takenByBank(charge, "30.00")
    await reportToUs(charge)
    await processInbox(sandbox)
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 3_000, fee: 450 })
    expect(await balance(charge)).toBe(5_950)
  })

  test("against a waiting refund of ours for the same money: the bank's stands, ours is refused and returned", async () => {
    const charge = await paidCharge()
    await refund(charge)
    await takenByBank(charge, "100.00")
    await reconcileRefunds(sandbox)
    expect(await balance(charge)).toBe(-8_500)
    await settle()
    expect(await balance(charge)).toBe(0)
    expect(await stateOf(charge)).toEqual({ status: "refunded", refunded: 10_000, fee: 1_500 })
    expect((await refundsOf(charge)).map(({ status }) => status).toSorted()).toEqual(["completed", "refused"])
  })

  test("a refund not yet final is not booked, and one of ours that the bank reports is settled", async () => {
    await sandbox.control({ liquidacaoMs: 600_000 })
    const charge = await paidCharge()
    await takenByBank(charge, "30.00")
    await reconcileRefunds(sandbox)
    expect(await refundsOf(charge)).toEqual([])
    await sandbox.control({ liquidacaoMs: 0 })
    const { pspRefundId } = await refund(charge, { cents: 1_000 })
    const name = { endToEndId: charge.endToEndId, pspRefundId }
    await sandbox.psp.requestRefund({ ...name, amountCents: 1_000 as Cents, description: "Produto devolvido" })
    await reconcileRefunds(sandbox)
    expect(await stateOf(charge)).toEqual({ status: "paid", refunded: 1_000, fee: 150 })
  })
})
