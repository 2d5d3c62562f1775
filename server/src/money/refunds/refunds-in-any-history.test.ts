import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { acceptUnmatchedPayment } from "#money/unmatched-payments/accept"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { requestWithdrawal } from "#money/withdrawals/request"
import { tamper } from "../../../test-support/as-owner.ts"
import { openPaidCharge, type PaidCharge, receiveStray, takeByBank } from "../../../test-support/paid-charges.ts"
import { createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { requestRefund } from "./request.ts"
import { settleRefunds } from "./settle.ts"
import { findRefundDifferences } from "./verify-reads.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })

afterAll(() => sandbox.close())

async function differences(): Promise<unknown[]> {
  const checks = [verifyLedger, findPaymentDifferences, verifyWithdrawals, findRefundDifferences]
  return (await Promise.all(checks.map((check) => check(sandbox.db)))).flat()
}

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

async function openUnmatchedPaymentOf(endToEndId: string): Promise<string> {
  const filter = { statuses: ["open"] as const, search: endToEndId }
  const { payments } = await listUnmatchedPayments(sandbox.db, filter, { offset: 0, limit: 1 })
  return payments[0]?.id ?? "none"
}

test("M09: after a history of everything the balance is net paid minus refunds and withdrawals", async () => {
  const sellerId = await createSeller(sandbox)
  const admin = { id: await createSeller(sandbox), address: null }
  const settle = () => settleRefunds({ ...sandbox, clock: { now: () => secondsAfter(new Date(), 120) } })
  const first = await openPaidCharge(sandbox, { sellerId, reais: 33.33 })
  const [second, third] = [await openPaidCharge(sandbox, { sellerId }), await openPaidCharge(sandbox, { sellerId })]
  // 28.33 + 85.00 + 85.00...
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(19_833)

  await refund(first, 1_111)
  await refund(second, null)
  await settle()
  // 11.11 takes 9.44 from the seller and 1.67 of the fee; the whole takes 85.00.
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(19_833 - 944 - 8_500)

  await sandbox.control({ devolucoesRecusadas: true })
  await refund(third, 4_000)
  await settle()
  await sandbox.control({ devolucoesRecusadas: false })
  const { id } = await withdraw(sellerId, 1_000)
  await withdraw(sellerId, 2_000)
  await cancelWithdrawal(sandbox, { id, seller: { id: sellerId, address: null } })
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_389)

  const strays = [await receiveStray(sandbox, { valor: "12.00", txid: third.txid })]
  strays.push(
    await receiveStray(sandbox, { valor: "7.00", txid: first.txid }),
    await receiveStray(sandbox, { valor: "5.00" }),
  )
  await reconcileReceipts(sandbox)
  const [accepted, returned, given] = await Promise.all(strays.map(openUnmatchedPaymentOf))
  const decision = { admin, adminNotes: "", sellerId: null }
  await acceptUnmatchedPayment(sandbox, { ...decision, id: accepted ?? "" })
  await returnUnmatchedPayment(sandbox, { ...decision, id: returned ?? "" })
  await acceptUnmatchedPayment(sandbox, { ...decision, id: given ?? "", sellerId })
  await settle()
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_389 + 1_020 + 425)

  await withdraw(sellerId, 9_834)
  await takeByBank(sandbox, third.endToEndId, "100.00")
  await reconcileRefunds(sandbox)
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(-8_500)
  expect(await differences()).toEqual([])
})

test("the verification names a seller's balance, the fees, a charge and an account under way that don't follow from their rows", async () => {
  const charge = await openPaidCharge(sandbox)
  await sandbox.db
    .updateTable("charges")
    .set({ refunded_cents: 1 as Cents })
    .where("id", "=", charge.id)
    .execute()
  expect(await findRefundDifferences(sandbox.db)).toEqual([
    { what: `estornado da cobrança ${charge.id} (valor / taxa), em centavos`, expected: "0 / 0", found: "1 / 0" },
  ])
  await tamper(sandbox, `update charges set refunded_cents = 0 where id = '${charge.id}'`)
  await refund(charge, 1_000)
  await sandbox.db
    .updateTable("refunds")
    .set({ status: "refused", failure_reason: "x", next_attempt_at: null, processed_at: new Date() })
    .where("charge_id", "=", charge.id)
    .execute()
  const found = (await findRefundDifferences(sandbox.db)).map(({ what }) => what)
  expect(found).toHaveLength(4)
  expect(found[0]).toMatch(/^lançamentos do estorno/)
  expect(found[1]).toMatch(/^conta refunds-under-way/)
  expect(found[2]).toMatch(/^saldo do vendedor/)
  expect(found[3]).toMatch(/^conta fee-revenue/)
})
