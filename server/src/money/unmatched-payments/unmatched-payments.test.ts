import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import { type Clock, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { suspense } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { bookPayments, removeDueCharges } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { requestWithdrawal } from "#money/withdrawals/request"
import { findPlatformDifferences } from "#platform/totals/reads"
import { createCharge } from "#selling/charges/create"
import { getCharge, getPaymentStatus } from "#selling/charges/find"
import { listSellersCharges } from "#selling/charges/lists"
import { tamper } from "../../../test-support/as-owner.ts"
import {
  bookReceipt,
  openPaidCharge,
  payCharge,
  readBankRefunds,
  receiveStray,
  takeByBank,
} from "../../../test-support/paid-charges.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { acceptUnmatchedPayment } from "./accept.ts"
import { listUnmatchedPayments } from "./list-reads.ts"
import { returnUnmatchedPayment } from "./return.ts"

const allWell = { falhaApi: null, liquidacaoMs: 0, devolucoesRecusadas: false, webhooksAtivos: false }

const sandbox = await openSandbox()
const admin: { id: string; address: null } = { id: await createSeller(sandbox), address: null }

beforeEach(async () => {
  await sandbox.control(allWell)
})

afterAll(async () => {
  await settle()
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await findRefundDifferences(sandbox.db)).toEqual([])
  expect(await findPlatformDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })
const settle = () => settleRefunds({ ...sandbox, clock: later(120) })
const accept = (id: string, sellerId: string | null = null) =>
  acceptUnmatchedPayment(sandbox, { id, admin, adminNotes: "conferido", sellerId })
const giveBack = (id: string) => returnUnmatchedPayment(sandbox, { id, admin, adminNotes: "conferido" })
const balance = (sellerId: string) => readSellerBalance(sandbox.db, sellerId)
const readCharge = (id: string) => getCharge(sandbox.db, id)
const uncredited = () => readBalance(sandbox.db, suspense("simulator"))

async function listed(search: string, status: "open" | "all" = "all") {
  const statuses = status === "open" ? (["open"] as const) : (["open", "accepted", "returning", "returned"] as const)
  return (await listUnmatchedPayments(sandbox.db, { statuses, search }, { offset: 0, limit: 10 })).payments
}

async function unmatchedPaymentOf(endToEndId: string) {
  const [payment] = await listed(endToEndId)
  return payment ?? never()
}

function never(): never {
  throw new Error("no such unmatched payment")
}

/** Opens a code of 100.00, for which the bank receives another amount. */
async function strayFor(valor: string) {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const endToEndId = await receiveStray(sandbox, { valor, txid: charge.txid ?? never() })
  await bookReceipt(sandbox, endToEndId)
  return { sellerId, charge, endToEndId, unmatched: await unmatchedPaymentOf(endToEndId) }
}

async function strayForNobody(valor: string) {
  const endToEndId = await receiveStray(sandbox, { valor })
  await bookReceipt(sandbox, endToEndId)
  return { endToEndId, unmatched: await unmatchedPaymentOf(endToEndId) }
}

/** Pays two open codes of a page that takes one payment. */
async function paidTwice() {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const open = () => createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const codes = [await open(), await open()]
  const receipts = []
  for (const { pixCode } of codes) receipts.push(String((await sandbox.pay(pixCode)).body["endToEndId"]))
  for (const endToEndId of receipts) await bookReceipt(sandbox, endToEndId)
  const endToEndId = receipts[1] ?? never()
  return { sellerId, charge: codes[1] ?? never(), endToEndId, unmatched: await unmatchedPaymentOf(endToEndId) }
}

async function transactionsOf(sellerId: string) {
  const { charges, summary } = await listSellersCharges(sandbox, { sellerId }, { offset: 0, limit: 100 })
  return { charges, summary }
}

describe("the list", () => {
  test("a wrong amount: with its charge, page and seller, and what either decision would do", async () => {
    const { unmatched, charge, sellerId } = await strayFor("70.00")
    expect(unmatched).toMatchObject({
      reason: "wrong_amount",
      status: "open",
      amountCents: 7_000,
      charge: { id: charge.id, amountCents: 10_000, pageTitle: "Mentoria de Vendas" },
      seller: { id: sellerId, name: "Ana Souza" },
      suggestion: "return",
      effects: {
        accept: { sellerGetsCents: 5_950, feeCents: 1_050, payerGetsCents: 0 },
        return: { sellerGetsCents: 0, feeCents: 0, payerGetsCents: 7_000 },
      },
    })
  })

  test("P04: two codes of a page that takes one payment: both are booked, the second is listed", async () => {
    const { unmatched, sellerId } = await paidTwice()
    expect(await balance(sellerId)).toBe(17_000)
    expect(unmatched).toMatchObject({
      reason: "duplicate",
      suggestion: "return",
      effects: {
        accept: { sellerGetsCents: 0, feeCents: 0, payerGetsCents: 0 },
        return: { sellerGetsCents: -8_500, feeCents: -1_500, payerGetsCents: 10_000 },
      },
    })
  })

  test("late money has the right amount: accepting it is suggested", async () => {
    const charge = await payCharge(sandbox)
    await sandbox.db.updateTable("charges").set({ status: "cancelled" }).where("id", "=", charge.id).execute()
    await bookReceipt(sandbox, charge.endToEndId)
    expect(await unmatchedPaymentOf(charge.endToEndId)).toMatchObject({ reason: "late", suggestion: "accept" })
  })

  test("a payment as requested is not listed", async () => {
    const { endToEndId } = await openPaidCharge(sandbox)
    expect(await listed(endToEndId)).toEqual([])
  })

  test("oldest first, by page, filter and search, with exact totals of what the filter finds", async () => {
    const stray = await strayFor("1.00")
    const [nobody, another] = [await strayForNobody("2.00"), await strayForNobody("3.00")]
    const all = { statuses: ["open"] as const, reason: "unknown_txid" as const }
    const { payments, totals } = await listUnmatchedPayments(sandbox.db, all, { offset: 0, limit: 100 })
    const ids = payments.map(({ id }) => id)
    expect(ids.indexOf(nobody.unmatched.id)).toBeLessThan(ids.indexOf(another.unmatched.id))
    expect(totals).toEqual([
      {
        reason: "unknown_txid",
        count: payments.length,
        amountCents: payments.reduce((sum, { amountCents }) => sum + amountCents, 0),
      },
    ])
    const second = await listUnmatchedPayments(sandbox.db, all, { offset: 1, limit: 1 })
    expect(second.payments.map(({ id }) => id)).toEqual([ids[1]])
    const further = await listUnmatchedPayments(sandbox.db, all, { offset: 0, limit: 1, after: ids[0] })
    expect(further).toMatchObject({ payments: [{ id: ids[1] }], totals })
    const nothing = listUnmatchedPayments(sandbox.db, all, { offset: 0, limit: 1, after: newId() })
    await expect(nothing).rejects.toMatchObject({ code: "malformed_request" })
    expect(await listed(`${stray.sellerId}@EXEMPLO`)).toMatchObject([{ id: stray.unmatched.id }])
    expect(await listed(stray.charge.txid ?? never())).toMatchObject([{ id: stray.unmatched.id }])
  })
})

describe("accepting", () => {
  test.each([
    ["70.00", 7_000, 5_950],
    ["102.03", 10_203, 8_673],
  ])(
    "P05: another amount, %s, pays the charge that it names, with what came: no second row",
    async (valor, gross, net) => {
      const { unmatched, charge, sellerId, endToEndId } = await strayFor(valor)
      await accept(unmatched.id)
      const { charges, summary } = await transactionsOf(sellerId)
      expect(charges).toMatchObject([
        { id: charge.id, status: "paid", amountCents: gross, netCents: net, endToEndId, pageId: charge.pageId },
      ])
      expect(charges).toHaveLength(1)
      expect(summary).toMatchObject({ paidCount: 1, netCents: net, pendingCount: 0 })
      expect(await balance(sellerId)).toBe(net)
      expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
      const page = await sandbox.db.selectFrom("charge_pages").selectAll().where("id", "=", charge.pageId).execute()
      expect(page).toMatchObject([{ status: "completed", payments_count: 1 }])
      // Its code is removed at the bank, so that nobody pays it again.
      await removeDueCharges(sandbox)
      expect((await readCharge(charge.id)).removal).toBe("done")
      expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({
        status: "accepted",
        suggestion: null,
        adminNotes: "conferido",
      })
    },
  )

  test("M03: the fee rate is that of its charge, whatever the setting says now", async () => {
    const { unmatched, sellerId, charge } = await strayFor("50.00")
    await tamper(sandbox, `update charges set fee_basis_points = 200 where id = '${charge.id}'`)
    await accept(unmatched.id)
    expect(await balance(sellerId)).toBe(4_900)
  })

  test("money without a charge needs a chosen seller, never the deciding admin", async () => {
    const { unmatched } = await strayForNobody("10.00")
    const sellerId = await createSeller(sandbox)
    await expect(accept(unmatched.id)).rejects.toMatchObject({ code: "validation_failed" })
    for (const nobody of [newId(), "x", "' or 1=1"]) {
      await expect(accept(unmatched.id, nobody)).rejects.toMatchObject({ shownMessage: "Vendedor não encontrado." })
    }
    await expect(accept(unmatched.id, admin.id)).rejects.toMatchObject({ code: "own_unmatched_payment" })
    await accept(unmatched.id, sellerId)
    expect(await balance(sellerId)).toBe(850)
    expect((await transactionsOf(sellerId)).charges).toMatchObject([
      { status: "paid", pageId: null, pageTitle: "Pagamento avulso" },
    ])
  })

  test("a second payment of the same charge: the seller is then credited with both", async () => {
    const first = await openPaidCharge(sandbox)
    const endToEndId = await receiveStray(sandbox, { valor: "100.00", txid: first.txid })
    await bookReceipt(sandbox, endToEndId)
    const unmatched = await unmatchedPaymentOf(endToEndId)
    expect(unmatched).toMatchObject({ reason: "charge_already_paid" })
    await accept(unmatched.id)
    expect(await balance(first.sellerId)).toBe(17_000)
    expect((await transactionsOf(first.sellerId)).summary).toMatchObject({ paidCount: 2, netCents: 17_000 })
  })

  test("a credited payment is only marked as checked", async () => {
    const { unmatched, sellerId, endToEndId } = await paidTwice()
    await accept(unmatched.id)
    expect(await balance(sellerId)).toBe(17_000)
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "accepted" })
    expect(await listed(endToEndId, "open")).toEqual([])
  })

  test("an accepted payment can be refunded like any other", async () => {
    const { unmatched, sellerId, endToEndId } = await strayFor("70.00")
    await accept(unmatched.id)
    const [made] = (await transactionsOf(sellerId)).charges
    const input = { chargeId: made?.id ?? never(), actor: { id: sellerId, address: null }, reason: "" }
    await requestRefund(sandbox, { ...input, origin: "seller", amountCents: null, idempotencyKey: null })
    await settle()
    expect(await balance(sellerId)).toBe(0)
    expect((await transactionsOf(sellerId)).charges[0]).toMatchObject({ status: "refunded", refundedFeeCents: 1_050 })
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "accepted" })
  })
})

describe("returning", () => {
  test("an uncredited one goes back whole, and nobody was ever credited", async () => {
    const before = await uncredited()
    const { unmatched, sellerId, endToEndId } = await strayFor("70.00")
    await giveBack(unmatched.id)
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "returning" })
    expect(await uncredited()).toBe(before)
    await settle()
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "returned" })
    expect(await readBankRefunds(sandbox, endToEndId)).toMatchObject([{ valor: "70.00", status: "DEVOLVIDO" }])
    expect(await balance(sellerId)).toBe(0)
  })

  test("a duplicate leaves the seller's balance, fee and all", async () => {
    const { unmatched, sellerId, endToEndId } = await paidTwice()
    await giveBack(unmatched.id)
    expect(await balance(sellerId)).toBe(8_500)
    await settle()
    expect((await transactionsOf(sellerId)).charges.map(({ status }) => status).toSorted()).toEqual([
      "paid",
      "refunded",
    ])
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "returned" })
  })

  test("a duplicate whose money the seller has withdrawn stays open", async () => {
    const { unmatched, sellerId, endToEndId } = await paidTwice()
    await requestWithdrawal(sandbox, {
      seller: { id: sellerId, address: null },
      amountCents: 17_000 as Cents,
      destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
      idempotencyKey: null,
    })
    await expect(giveBack(unmatched.id)).rejects.toMatchObject({ code: "refund_not_covered" })
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "open" })
  })

  test("a refusal by the bank opens it again, and it can be decided anew", async () => {
    await sandbox.control({ devolucoesRecusadas: true })
    const before = await uncredited()
    const { unmatched, sellerId, endToEndId } = await strayFor("70.00")
    await giveBack(unmatched.id)
    await settle()
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "open" })
    expect(await uncredited()).toBe(before + 7_000)
    await accept(unmatched.id)
    expect(await balance(sellerId)).toBe(5_950)
  })

  test("one that the bank takes back by itself is closed; after a part, the rest can be accepted", async () => {
    const [whole, share] = [await strayFor("70.00"), await strayFor("50.00")]
    await takeByBank(sandbox, whole.endToEndId, "70.00")
    await takeByBank(sandbox, share.endToEndId, "20.00")
    await reconcileRefunds(sandbox)
    await reconcileRefunds(sandbox)
    expect(await unmatchedPaymentOf(whole.endToEndId)).toMatchObject({ status: "returned" })
    expect(await unmatchedPaymentOf(share.endToEndId)).toMatchObject({
      status: "open",
      effects: { accept: { sellerGetsCents: 2_550 }, return: { payerGetsCents: 3_000 } },
    })
    await accept(share.unmatched.id)
    expect(await balance(share.sellerId)).toBe(2_550)
  })

  test("a refund by the bank while ours is under way: the bank's stands, ours ends refused", async () => {
    const before = await uncredited()
    const { unmatched, endToEndId } = await strayFor("70.00")
    await giveBack(unmatched.id)
    await takeByBank(sandbox, endToEndId, "70.00")
    await reconcileRefunds(sandbox)
    await settle()
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "returned" })
    expect(await uncredited()).toBe(before)
    expect(await readBankRefunds(sandbox, endToEndId)).toHaveLength(1)
  })
})

describe("many at once", () => {
  test("of twenty acceptances and twenty returns one wins, and the money follows it", async () => {
    for (let round = 0; round < 3; round += 1) {
      const before = await uncredited()
      const { unmatched, sellerId, endToEndId } = await strayFor("70.00")
      const results = await times(40, (index) => (index % 2 === 0 ? accept(unmatched.id) : giveBack(unmatched.id)))
      expect(codesOf(results)).toEqual({ ok: 1, unmatched_payment_resolved: 39 })
      await settle()
      const { status } = await unmatchedPaymentOf(endToEndId)
      expect(await balance(sellerId)).toBe(status === "accepted" ? 5_950 : 0)
      expect(await readBankRefunds(sandbox, endToEndId)).toHaveLength(status === "accepted" ? 0 : 1)
      expect(await uncredited()).toBe(before)
    }
  })

  test("a duplicate returned by the admin and refunded by the seller at once goes back once", async () => {
    const { unmatched, sellerId, charge, endToEndId } = await paidTwice()
    const input = { chargeId: charge.id, actor: { id: sellerId, address: null }, reason: "", amountCents: null }
    const results = await times(10, async (index) =>
      index % 2 === 0
        ? giveBack(unmatched.id)
        : requestRefund(sandbox, { ...input, origin: "seller", idempotencyKey: null }),
    )
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    await settle()
    expect(await balance(sellerId)).toBe(8_500)
    expect(await readBankRefunds(sandbox, endToEndId)).toHaveLength(1)
    expect(await unmatchedPaymentOf(endToEndId)).toMatchObject({ status: "returned" })
  })

  test("a decided or unknown one moves nothing", async () => {
    const { unmatched, sellerId } = await strayFor("70.00")
    await accept(unmatched.id)
    for (const decide of [accept, giveBack]) {
      await expect(decide(unmatched.id)).rejects.toMatchObject({ code: "unmatched_payment_resolved" })
      await expect(decide(newId())).rejects.toMatchObject({ code: "unmatched_payment_not_found" })
      await expect(decide("x' or 1=1")).rejects.toMatchObject({ code: "unmatched_payment_not_found" })
    }
    expect(await balance(sellerId)).toBe(5_950)
  })

  test("the same receipt reported ten times at once is one unmatched payment", async () => {
    const endToEndId = await receiveStray(sandbox, { valor: "5.00" })
    const receipt = (await sandbox.psp.findReceipt(endToEndId)) ?? never()
    await Promise.all(Array.from({ length: 10 }, () => bookPayments(sandbox, [receipt])))
    expect(await listed(endToEndId)).toHaveLength(1)
  })
})

test("every decision is audited", async () => {
  const [accepted, returned] = [await strayFor("70.00"), await strayFor("70.00")]
  await accept(accepted.unmatched.id)
  await giveBack(returned.unmatched.id)
  const rows = await sandbox.db
    .selectFrom("audit_records")
    .select(["action", "actor_id"])
    .where("entity_id", "in", [accepted.unmatched.id, returned.unmatched.id])
    .orderBy("id")
    .execute()
  expect(rows).toEqual([
    { action: "unmatched_payment.accepted", actor_id: admin.id },
    { action: "unmatched_payment.returned", actor_id: admin.id },
  ])
})
