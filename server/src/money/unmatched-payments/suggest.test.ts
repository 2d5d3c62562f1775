import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { type PaymentReceived, PspError } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { getCharge, getPaymentStatus } from "#selling/charges/find"
import { bookReceipt, receiveStray } from "../../../test-support/paid-charges.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { acceptUnmatchedPayment } from "./accept.ts"
import { listUnmatchedPayments } from "./list-reads.ts"
import { returnUnmatchedPayment } from "./return.ts"
import { suggestCharges } from "./suggest.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })
const admin = { id: await createSeller(sandbox), address: null }

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

const accept = (id: string, sellerId: string | null = null) =>
  acceptUnmatchedPayment(sandbox, { id, admin, adminNotes: "conferido", sellerId })

async function listed(search: string) {
  const filter = { statuses: ["open", "accepted"] as const, search }
  const { payments } = await listUnmatchedPayments(sandbox.db, filter, { offset: 0, limit: 10 })
  return payments[0]
}

const minuteLater = { now: () => secondsAfter(new Date(), 90) }

/** A code of 100.00 and money of that amount that names none; the bank calls some charges paid. */
async function lostTxid(valor = "100.00", reais = 100) {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, reais })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const endToEndId = await receiveStray(sandbox, { valor })
  await bookReceipt(sandbox, endToEndId)
  return { sellerId, charge, endToEndId, id: (await listed(endToEndId))?.id ?? "" }
}
const bankThatCalls = (txids: string[], receipts: PaymentReceived[] = []) => ({
  ...sandbox.psp,
  isChargePaid: async (txid: string) => txids.includes(txid),
  findReceiptsOfCharge: async () => receipts,
})
const suggestBy = (psp: typeof sandbox.psp) => suggestCharges({ ...sandbox, psp, clock: minuteLater })

test("a payment that lost its txid is suggested for the one open charge of its amount that the bank calls paid, and pays it when accepted", async () => {
  const { sellerId, charge, endToEndId, id } = await lostTxid()
  expect(await listed(endToEndId)).toMatchObject({ suggestion: "return", charge: null })
  await suggestBy(bankThatCalls([charge.txid]))
  await suggestBy(bankThatCalls([charge.txid]))
  expect(await listed(endToEndId)).toMatchObject({
    suggestion: "accept",
    charge: { id: charge.id },
    seller: { id: sellerId },
    effects: { accept: { sellerGetsCents: 8_500 } },
  })
  expect(codesOf(await times(4, () => accept(id)))).toEqual({ ok: 1, unmatched_payment_resolved: 3 })
  expect(await getCharge(sandbox.db, charge.id)).toMatchObject({ status: "paid", endToEndId, isLate: false })
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
})

test("it isn't where the bank calls none paid, or two, or the charge has a receipt of its own, or it came just now", async () => {
  const [one, two] = [await lostTxid("33.00", 50), await lostTxid()]
  const other = await lostTxid()
  await suggestBy(bankThatCalls([]))
  await suggestBy(bankThatCalls([two.charge.txid, other.charge.txid]))
  await suggestBy(bankThatCalls([two.charge.txid], [receiptOf(two.charge.txid, 10_000)]))
  await suggestBy(bankThatCalls([one.charge.txid]))
  await suggestCharges({ ...sandbox, psp: bankThatCalls([two.charge.txid]) })
  for (const { endToEndId } of [one, two, other]) {
    expect(await listed(endToEndId)).toMatchObject({ suggestion: "return", charge: null })
  }
  for (const { id } of [two, other]) await returnUnmatchedPayment(sandbox, { id, admin, adminNotes: "" })
})

test("the suggestion ends when its charge is paid, and a person may choose another seller", async () => {
  const [paid, chosen] = [await lostTxid("100.00"), await lostTxid("100.00")]
  await suggestBy(bankThatCalls([paid.charge.txid]))
  const someone = await createSeller(sandbox)
  await accept(chosen.id, someone)
  expect(await readSellerBalance(sandbox.db, someone)).toBe(8_500)
  expect(await getCharge(sandbox.db, paid.charge.id)).toMatchObject({ status: "pending" })
  await bookReceipt(sandbox, String((await sandbox.pay(paid.charge.pixCode)).body["endToEndId"]))
  expect(await listed(paid.endToEndId)).toMatchObject({ suggestion: "return", charge: null })
  await expect(accept(paid.id)).rejects.toMatchObject({ code: "validation_failed" })
  expect(await readSellerBalance(sandbox.db, paid.sellerId)).toBe(8_500)
})

test("a bank that doesn't answer suggests nothing and stops nothing", async () => {
  const { endToEndId, charge } = await lostTxid()
  const silent = { ...sandbox.psp, isChargePaid: () => Promise.reject(new PspError("unknown", "no answer")) }
  await suggestBy(silent)
  await suggestBy(bankThatCalls([charge.txid]))
  expect(await listed(endToEndId)).toMatchObject({ suggestion: "accept" })
})
