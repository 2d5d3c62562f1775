import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { findPlatformDifferences } from "#platform/totals/reads"
import { createCharge } from "#selling/charges/create"
import { getCharge } from "#selling/charges/find"
import { listSellersCharges } from "#selling/charges/lists"
import { asOwner, tamper } from "../../../test-support/as-owner.ts"
import { bookReceipt, openPaidCharge, receiveStray } from "../../../test-support/paid-charges.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { acceptUnmatchedPayment } from "./accept.ts"
import { listUnmatchedPayments } from "./list-reads.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })
const admin = { id: await createSeller(sandbox), address: null }

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await findPlatformDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

const accept = (id = "") => acceptUnmatchedPayment(sandbox, { id, admin, adminNotes: "", sellerId: null })

async function openUnmatched(search: string) {
  const filter = { statuses: ["open"] as const, search }
  return (await listUnmatchedPayments(sandbox.db, filter, { offset: 0, limit: 1 })).payments[0]
}

async function chargesOf(sellerId: string) {
  return (await listSellersCharges(sandbox, { sellerId }, { offset: 0, limit: 10 })).charges
}

/** Opens a code of 100.00, for which the bank receives another amount. */
async function strayFor(valor: string) {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const endToEndId = await receiveStray(sandbox, { valor, txid: charge.txid })
  await bookReceipt(sandbox, endToEndId)
  return { sellerId, charge, endToEndId, unmatched: await openUnmatched(endToEndId) }
}

test("the page's other codes end, and money that still comes for it waits for a person", async () => {
  const { unmatched, charge, sellerId } = await strayFor("70.00")
  const page = await createPage(sandbox, { sellerId, maxPayments: null })
  const untouched = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const twin = await createCharge(sandbox, { pageId: charge.pageId, customerInfo: null, idempotencyKey: null })
  await accept(unmatched?.id)
  expect(await getCharge(sandbox.db, twin.id)).toMatchObject({ status: "cancelled", removal: "due" })
  expect(await getCharge(sandbox.db, untouched.id)).toMatchObject({ status: "pending" })
  const again = await receiveStray(sandbox, { valor: "100.00", txid: charge.txid })
  await bookReceipt(sandbox, again)
  expect(await openUnmatched(again)).toMatchObject({ reason: "charge_already_paid" })
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(5_950)
})

test("a page without a limit counts it and takes further payments", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, maxPayments: null })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const endToEndId = await receiveStray(sandbox, { valor: "70.00", txid: charge.txid })
  await bookReceipt(sandbox, endToEndId)
  await accept((await openUnmatched(endToEndId))?.id)
  await openPaidCharge(sandbox, { sellerId })
  const kept = await sandbox.db.selectFrom("charge_pages").selectAll().where("id", "=", page.id).execute()
  expect(kept).toMatchObject([{ status: "active", payments_count: 1 }])
})

test.each(["expired", "cancelled", "failed"] as const)(
  "a charge that is %s is paid by it too, late",
  async (status) => {
    const { unmatched, charge, sellerId } = await strayFor("70.00")
    await sandbox.db.updateTable("charges").set({ status }).where("id", "=", charge.id).execute()
    await tamper(sandbox, `update charges set expires_at = now() - interval '1 minute' where id = '${charge.id}'`)
    await accept(unmatched?.id)
    expect(await getCharge(sandbox.db, charge.id)).toMatchObject({ status: "paid", amountCents: 7_000, isLate: true })
    expect(await readSellerBalance(sandbox.db, sellerId)).toBe(5_950)
  },
)

test("a charge that was paid meanwhile stays as it is: the other money is a charge of its own", async () => {
  const { unmatched, charge, sellerId, endToEndId } = await strayFor("70.00")
  const right = await receiveStray(sandbox, { valor: "100.00", txid: charge.txid })
  await bookReceipt(sandbox, right)
  await accept(unmatched?.id)
  const charges = await chargesOf(sellerId)
  expect(charges).toMatchObject([
    { txid: null, amountCents: 7_000, endToEndId },
    { id: charge.id, amountCents: 10_000, endToEndId: right },
  ])
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(14_450)
})

test("accepted twice, one after the other and six at once, it pays once", async () => {
  const [first, second] = [await strayFor("70.00"), await strayFor("102.03")]
  await accept(first.unmatched?.id)
  await expect(accept(first.unmatched?.id)).rejects.toMatchObject({ code: "unmatched_payment_resolved" })
  expect(codesOf(await times(6, () => accept(second.unmatched?.id)))).toEqual({ ok: 1, unmatched_payment_resolved: 5 })
  expect([
    await readSellerBalance(sandbox.db, first.sellerId),
    await readSellerBalance(sandbox.db, second.sellerId),
  ]).toEqual([5_950, 8_673])
  expect(await chargesOf(second.sellerId)).toHaveLength(1)
})

test("accepted while the right amount comes for the same charge: both are booked, each once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { unmatched, charge, sellerId } = await strayFor("70.00")
    const right = await receiveStray(sandbox, { valor: "100.00", txid: charge.txid })
    await Promise.all([accept(unmatched?.id), bookReceipt(sandbox, right)])
    const waits = (await openUnmatched(right)) === undefined ? 0 : 1
    expect(await readSellerBalance(sandbox.db, sellerId)).toBe(waits === 1 ? 5_950 : 14_450)
    expect(await chargesOf(sellerId)).toHaveLength(waits === 1 ? 1 : 2)
  }
})

test("the amount of a charge changes by such a payment alone", async () => {
  const { charge, endToEndId } = await strayFor("70.00")
  const terms = "amount_cents = 7000, fee_cents = 1050, net_cents = 5950"
  const paid = `status = 'paid', paid_at = now(), end_to_end_id = '${endToEndId}'`
  const set = (changes: string) => asOwner(sandbox, `update charges set ${changes} where id = '${charge.id}'`)
  await expect(set(terms)).rejects.toThrow("amounts stay as they are")
  await expect(set(`${terms}, status = 'paid', paid_at = now(), end_to_end_id = 'E1'`)).rejects.toThrow("amounts stay")
  await expect(set(`amount_cents = 7001, fee_cents = 1050, net_cents = 5951, ${paid}`)).rejects.toThrow("amounts stay")
  await expect(set(`${terms}, fee_basis_points = 0, ${paid}`)).rejects.toThrow("amounts stay")
  const asApp = sandbox.db
    .updateTable("charges")
    .set({ amount_cents: 7_000 as Cents })
    .where("id", "=", charge.id)
  await expect(asApp.execute()).rejects.toThrow("permission denied")
})
