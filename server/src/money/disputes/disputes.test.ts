import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance, readSellerBlocked } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { recordReportedRefunds } from "#money/refunds/reported"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { acceptUnmatchedPayment } from "#money/unmatched-payments/accept"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { PspDispute } from "#psp/psp"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openPaidCharge, type PaidCharge, receiveStray, takeByBank } from "../../../test-support/paid-charges.ts"
import { createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { contest, decide, readBankDispute } from "../../../test-support/test-disputes.ts"
import { defendDispute, sendDefences } from "./defend.ts"
import { findDisputeDifferences } from "./list-reads.ts"
import { reconcileDisputes, recordDispute } from "./record.ts"
import { closeDispute, registerDispute } from "./register.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })

afterAll(async () => {
  expect(await differences()).toEqual([])
  await sandbox.close()
})

async function differences(): Promise<unknown[]> {
  const checks = [
    verifyLedger,
    findPaymentDifferences,
    verifyWithdrawals,
    findRefundDifferences,
    findDisputeDifferences,
  ]
  return (await Promise.all(checks.map((check) => check(sandbox.db)))).flat()
}

const money = async ({ sellerId }: { sellerId: string }) => ({
  available: await readSellerBalance(sandbox.db, sellerId),
  blocked: await readSellerBlocked(sandbox.db, sellerId),
})

const disputesOf = ({ endToEndId }: { endToEndId: string }) =>
  sandbox.db.selectFrom("disputes").selectAll().where("end_to_end_id", "=", endToEndId).orderBy("opened_at").execute()

const refund = ({ id, sellerId }: PaidCharge, cents: number | null) =>
  requestRefund(sandbox, {
    chargeId: id,
    actor: { id: sellerId, address: null },
    origin: "seller",
    amountCents: cents as Cents | null,
    reason: "",
    idempotencyKey: null,
  })

const withdraw = (sellerId: string, cents: number) =>
  requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })

async function reported(disputeId: string): Promise<PspDispute> {
  const dispute = await sandbox.psp.disputes?.find(disputeId)
  if (!dispute) throw new Error("the bank doesn't know the dispute")
  return dispute
}

test("a disputed payment is blocked apart from the balance, and released when the dispute is rejected", async () => {
  const charge = await openPaidCharge(sandbox)
  const id = await contest(sandbox, charge.endToEndId)
  await reconcileDisputes(sandbox)
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 0, blocked: 8_500 })
  await expect(withdraw(charge.sellerId, 1)).rejects.toThrow("insufficient_balance")
  await expect(refund(charge, 100)).rejects.toThrow("payment_disputed")

  await decide(sandbox, id, "REJEITADA")
  await Promise.all([reconcileDisputes(sandbox), reconcileDisputes(sandbox), reconcileDisputes(sandbox)])
  expect(await money(charge)).toEqual({ available: 8_500, blocked: 0 })
  expect(await disputesOf(charge)).toMatchObject([{ state: "rejected", blocked_cents: 0, debited_cents: 0 }])
  await refund(charge, 100)
  const mails = await deliverMails(sandbox)
  const subjects = mails.filter(({ to }) => to.startsWith(charge.sellerId)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => /contesta/i.test(subject)).toSorted()).toEqual([
    "Contestação encerrada: R$ 100,00",
    "Pagamento contestado: R$ 100,00",
  ])
})

test("a debit whose nature the bank doesn't say is the open dispute's: it leaves the blocked money, and nothing is taken twice", async () => {
  const charge = await openPaidCharge(sandbox)
  const id = await contest(sandbox, charge.endToEndId, "40.00")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 5_100, blocked: 3_400 })
  // As api-pix-refunds.ts reads a devolução without natureza.
  const debit = { pspRefundId: "semnatureza", state: "completed", amountCents: 4_000 as Cents } as const
  const told = { ...debit, returnId: null, reason: null, settledAt: new Date() }
  const receipt = { ...receiptOf(null, 10_000), endToEndId: charge.endToEndId, refunds: [told] }
  await Promise.all([recordReportedRefunds(sandbox, [receipt]), recordReportedRefunds(sandbox, [receipt])])
  await recordReportedRefunds(sandbox, [receipt])
  expect(await money(charge)).toEqual({ available: 5_100, blocked: 0 })
  await decide(sandbox, id, "REJEITADA")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 5_100, blocked: 0 })
})

test("the bank's debit of an accepted dispute is taken from the blocked money, once, and the fee returned pro rata", async () => {
  const charge = await openPaidCharge(sandbox)
  const other = await openPaidCharge(sandbox, { sellerId: charge.sellerId })
  const id = await contest(sandbox, charge.endToEndId, "40.00")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 8_500 + 5_100, blocked: 3_400 })

  await decide(sandbox, id, "ACEITA")
  await Promise.all([reconcileDisputes(sandbox), reconcileRefunds(sandbox), reconcileRefunds(sandbox)])
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 8_500 + 5_100, blocked: 0 })
  expect(await disputesOf(charge)).toMatchObject([{ state: "accepted", blocked_cents: 0, debited_cents: 4_000 }])
  expect((await disputesOf(charge))[0]?.settled_at).not.toBeNull()
  const booked = await sandbox.db
    .selectFrom("ledger_postings")
    .select(["debit_account", "amount_cents"])
    .where("kind", "=", "refund-by-bank")
    .where("seller_id", "=", charge.sellerId)
    .orderBy("debit_account", "desc")
    .execute()
  expect(booked).toEqual([
    { debit_account: `seller-blocked:${charge.sellerId}`, amount_cents: 3_400 },
    { debit_account: "fee-revenue", amount_cents: 600 },
  ])
  await refund(other, null)
})

test("money already withdrawn is blocked too: the seller owes it, and later payments repay the debt", async () => {
  const charge = await openPaidCharge(sandbox)
  await withdraw(charge.sellerId, 8_500)
  const id = await contest(sandbox, charge.endToEndId)
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: -8_500, blocked: 8_500 })
  await openPaidCharge(sandbox, { sellerId: charge.sellerId })
  expect(await money(charge)).toEqual({ available: 0, blocked: 8_500 })
  await expect(withdraw(charge.sellerId, 1)).rejects.toThrow("insufficient_balance")
  await decide(sandbox, id, "ACEITA")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 0, blocked: 0 })
})

test("a debit seen before its dispute counts for it: nothing is blocked again", async () => {
  const charge = await openPaidCharge(sandbox)
  const id = await contest(sandbox, charge.endToEndId, "30.00")
  const opening = await reported(id)
  await decide(sandbox, id, "ACEITA")
  await reconcileRefunds(sandbox)
  expect(await money(charge)).toEqual({ available: 5_950, blocked: 0 })

  await recordDispute(sandbox, opening)
  expect(await money(charge)).toEqual({ available: 5_950, blocked: 0 })
  expect(await disputesOf(charge)).toMatchObject([{ state: "open", debited_cents: 3_000, settled_at: null }])
  await reconcileDisputes(sandbox)
  await recordDispute(sandbox, opening)
  expect(await disputesOf(charge)).toMatchObject([{ state: "accepted", debited_cents: 3_000, blocked_cents: 0 }])
})

test("reported concurrently, in any order and with stale states, a dispute is opened and closed once", async () => {
  const charge = await openPaidCharge(sandbox)
  const id = await contest(sandbox, charge.endToEndId)
  const opening = await reported(id)
  await decide(sandbox, id, "CANCELADA_EFI")
  const closing = await reported(id)
  await Promise.all([opening, closing, opening, closing].map((report) => recordDispute(sandbox, report)))
  await recordDispute(sandbox, opening)
  expect(await money(charge)).toEqual({ available: 8_500, blocked: 0 })
  expect(await disputesOf(charge)).toMatchObject([{ state: "cancelled" }])
})

test("a refund of ours that the bank refuses during the dispute is blocked too", async () => {
  const charge = await openPaidCharge(sandbox)
  await refund(charge, 4_000)
  await contest(sandbox, charge.endToEndId)
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 0, blocked: 5_100 })
  await sandbox.control({ devolucoesRecusadas: true })
  await settleRefunds({ ...sandbox, clock: { now: () => secondsAfter(new Date(), 120) } })
  await sandbox.control({ devolucoesRecusadas: false })
  expect(await money(charge)).toEqual({ available: 0, blocked: 8_500 })
})

test("two disputes of one payment never block more than is left of it", async () => {
  const charge = await openPaidCharge(sandbox, { reais: 33.33 })
  const first = await contest(sandbox, charge.endToEndId, "20.00")
  const second = await contest(sandbox, charge.endToEndId)
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 0, blocked: 2_833 })
  await decide(sandbox, second, "REJEITADA")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 1_133, blocked: 1_700 })
  await decide(sandbox, first, "ACEITA")
  await reconcileDisputes(sandbox)
  expect(await money(charge)).toEqual({ available: 1_133, blocked: 0 })
})

test("an unmatched payment is neither credited nor sent back while it is disputed", async () => {
  const sellerId = await createSeller(sandbox)
  const admin = { id: await createSeller(sandbox), address: null }
  const endToEndId = await receiveStray(sandbox, { valor: "12.00" })
  await reconcileReceipts(sandbox)
  const id = await contest(sandbox, endToEndId)
  await reconcileDisputes(sandbox)
  const filter = { statuses: ["open"] as const, search: endToEndId }
  const { payments } = await listUnmatchedPayments(sandbox.db, filter, { offset: 0, limit: 1 })
  const decision = { id: payments[0]?.id ?? "", admin, adminNotes: "", sellerId }
  await expect(acceptUnmatchedPayment(sandbox, decision)).rejects.toThrow("payment_disputed")
  await expect(returnUnmatchedPayment(sandbox, decision)).rejects.toThrow("payment_disputed")
  await decide(sandbox, id, "REJEITADA")
  await reconcileDisputes(sandbox)
  await acceptUnmatchedPayment(sandbox, decision)
  expect(await money({ sellerId })).toEqual({ available: 1_020, blocked: 0 })

  const stolen = await receiveStray(sandbox, { valor: "9.00" })
  const other = await contest(sandbox, stolen)
  await decide(sandbox, other, "ACEITA")
  await reconcileDisputes(sandbox)
  expect(await disputesOf({ endToEndId: stolen })).toMatchObject([{ state: "accepted", debited_cents: 900 }])
  expect(
    (await listUnmatchedPayments(sandbox.db, { statuses: ["returned"], search: stolen }, { offset: 0, limit: 1 }))
      .payments,
  ).toHaveLength(1)
})

/** A provider that reports no disputes: an admin hears of them by other means. */
const silent = () => ({ ...sandbox, psp: { ...sandbox.psp, disputes: null } })

test("without reports of the bank an admin blocks, and releases or books the debit, once, also if it is reported later", async () => {
  const admin = { id: await createSeller(sandbox), address: null }
  const options = {
    admin,
    reason: "fraud",
    respondUntil: null,
    adminNotes: "E-mail do banco",
    idempotencyKey: "k1",
  } as const
  const charge = await openPaidCharge(sandbox)
  const registration = { ...options, endToEndId: charge.endToEndId, amountCents: 5_000 as Cents }
  await expect(registerDispute(sandbox, registration)).rejects.toThrow("dispute_told_by_bank")
  const [first, second] = await Promise.all([
    registerDispute(silent(), registration),
    registerDispute(silent(), registration),
  ])
  expect(second.id).toBe(first.id)
  expect(await money(charge)).toEqual({ available: 4_250, blocked: 4_250 })
  const closing = { id: first.id, admin, adminNotes: "" }
  const closings = await Promise.allSettled([
    closeDispute(sandbox, { ...closing, outcome: "debit" }),
    closeDispute(sandbox, { ...closing, outcome: "release" }),
    closeDispute(sandbox, { ...closing, outcome: "debit" }),
  ])
  expect(closings.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  const isDebited = closings[1]?.status !== "fulfilled"
  expect(await money(charge)).toEqual({ available: isDebited ? 4_250 : 8_500, blocked: 0 })

  const other = await openPaidCharge(sandbox)
  const whole = { ...options, endToEndId: other.endToEndId, amountCents: null, idempotencyKey: "k2" }
  const { id } = await registerDispute(silent(), whole)
  await closeDispute(sandbox, { ...closing, id, outcome: "debit" })
  await takeByBank(sandbox, other.endToEndId, "100.00")
  await Promise.all([reconcileRefunds(sandbox), reconcileRefunds(sandbox)])
  await reconcileRefunds(sandbox)
  expect(await money(other)).toEqual({ available: 0, blocked: 0 })
  const booked = await sandbox.db
    .selectFrom("refunds")
    .select("return_id")
    .where("end_to_end_id", "=", other.endToEndId)
    .execute()
  expect(booked).toEqual([{ return_id: expect.stringMatching(/^D/) }])
})

test("a defence goes to the bank once; strangers and late ones are refused", async () => {
  const charge = await openPaidCharge(sandbox)
  const bankId = await contest(sandbox, charge.endToEndId)
  await reconcileDisputes(sandbox)
  const [row] = await disputesOf(charge)
  const actor = { id: charge.sellerId, address: null }
  const defence = { disputeId: row?.id ?? "", actor, origin: "seller", text: "Entregue em mãos, com recibo." } as const
  const stranger = { id: await createSeller(sandbox), address: null }
  await expect(defendDispute(sandbox, { ...defence, actor: stranger })).rejects.toThrow("dispute_not_found")
  const late = { now: () => secondsAfter(new Date(), 30 * 86_400) }
  await expect(defendDispute({ ...sandbox, clock: late }, defence)).rejects.toThrow("dispute_overdue")
  const both = await Promise.allSettled([defendDispute(sandbox, defence), defendDispute(sandbox, defence)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])

  await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
  await sendDefences(sandbox)
  await sandbox.control({ falhaApi: null })
  expect(await disputesOf(charge)).toMatchObject([{ defence_state: "waiting" }])
  await sendDefences({ ...sandbox, clock: { now: () => secondsAfter(new Date(), 120) } })
  await reconcileDisputes(sandbox)
  expect(await disputesOf(charge)).toMatchObject([{ defence_state: "sent", state: "defended" }])
  expect(await readBankDispute(sandbox, bankId)).toMatchObject({ defesa: defence.text, status: "EM_DEFESA" })
  await decide(sandbox, bankId, "REJEITADA")
  await reconcileDisputes(sandbox)
  await expect(defendDispute(sandbox, defence)).rejects.toThrow("dispute_closed")
})
