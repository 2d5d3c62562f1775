import { afterAll, expect, test } from "vitest"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import { bookPayments } from "#money/payments/book"
import { createCharge } from "#selling/charges/create"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openPaidCharge, takeByBank } from "../../../test-support/paid-charges.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { getChargeDetails } from "./details.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

test("a paid charge shows its history, and its postings by the accounts' names", async () => {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox) })
  const { id, txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  await bookPayments(sandbox, [receiptOf(txid, 10_000)])
  await deliverMails(sandbox)
  const { charge, timeline, postings } = await getChargeDetails(sandbox, id)
  expect(charge).toMatchObject({ id, status: "paid", seller: { name: "Ana Souza" } })
  expect(timeline.map(({ event }) => event)).toEqual(["created", "code_shown", "paid", "booked", "notified"])
  expect(postings).toMatchObject([
    { debit: "Conta no provedor Pix", credit: "Saldo disponível do vendedor", amountCents: 10_000 },
    { debit: "Saldo disponível do vendedor", credit: "Receita de taxas", amountCents: 1_500 },
  ])
})

test("a second payment of a charge is among its postings, in suspense", async () => {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox) })
  const { id, txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  await bookPayments(sandbox, [receiptOf(txid, 10_000)])
  await bookPayments(sandbox, [receiptOf(txid, 10_000)])
  const { postings } = await getChargeDetails(sandbox, id)
  expect(postings.at(-1)).toMatchObject({ credit: "Pagamentos a conferir", amountCents: 10_000 })
})

test("a refund by the bank is shown with its time and its postings", async () => {
  await sandbox.control({ liquidacaoMs: 0 })
  const charge = await openPaidCharge(sandbox)
  await takeByBank(sandbox, charge.endToEndId, "40.00")
  await reconcileRefunds(sandbox)
  await reconcileRefunds(sandbox)
  const { timeline, postings } = await getChargeDetails(sandbox, charge.id)
  expect(timeline.map(({ event }) => event)).toContain("refunded")
  expect(postings.slice(2)).toMatchObject([
    { debit: "Saldo disponível do vendedor", credit: "Conta no provedor Pix", amountCents: 3_400 },
    { debit: "Receita de taxas", credit: "Conta no provedor Pix", amountCents: 600 },
  ])
})
