import { afterAll, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { createCharge } from "#selling/charges/create"
import { getPaymentStatus } from "#selling/charges/find"
import { listSellersCharges } from "#selling/charges/lists"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const sandbox = await openSandbox()

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

async function openCharge(options: { sellerId: string; reais?: number; maxPayments?: number | null }) {
  const page = await createPage(sandbox, options)
  return chargeOn(page.id)
}

async function chargeOn(pageId: string) {
  return createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
}

async function balanceOf(sellerId: string): Promise<number> {
  return readSellerBalance(sandbox.db, sellerId)
}

async function uncreditedReasonsOf(txid: string): Promise<(string | null)[]> {
  const rows = await sandbox.db.selectFrom("payments").select("reason").where("txid", "=", txid).execute()
  return rows.map((row) => row.reason)
}

test("a payment credits the seller with the net, completes the page and reads pago", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  await bookPayments(sandbox, [receiptOf(charge.txid, 10_000)])
  expect(await balanceOf(sellerId)).toBe(8_500)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  const { charges, summary } = await listSellersCharges(sandbox, { sellerId }, { offset: 0, limit: 10 })
  expect(charges[0]).toMatchObject({ status: "paid", isLate: false, isDuplicate: false })
  expect(summary).toMatchObject({ count: 1, paidCount: 1, pendingCount: 0, netCents: 8_500, today: { count: 1 } })
  const page = await sandbox.db
    .selectFrom("charge_pages")
    .selectAll()
    .where("id", "=", charge.pageId)
    .executeTakeFirst()
  expect(page).toMatchObject({ status: "completed", payments_count: 1 })
})

test.each([
  ["three hours", 3 * 3_600_000],
  ["a day", 86_400_000],
  ["a second", 1_000],
])("a payment that the bank dates %s before its charge is dated with it, in every book", async (_what, ms) => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  const stray = { ...receiptOf(null, 700), paidAt: new Date(Date.now() - ms) }
  const receipt = { ...receiptOf(charge.txid, 10_000), paidAt: new Date(charge.createdAt.getTime() - ms) }
  await bookPayments(sandbox, [receipt, stray])
  await bookPayments(sandbox, [receipt, stray])
  const { charges } = await listSellersCharges(sandbox, { sellerId }, { offset: 0, limit: 10 })
  expect(charges).toMatchObject([{ status: "paid", isLate: false, paidAt: charge.createdAt }])
  const ids = [receipt, stray].map(({ endToEndId }) => endToEndId)
  const rows = await sandbox.db.selectFrom("payments").selectAll().where("end_to_end_id", "in", ids).execute()
  const paidAt = new Map(rows.map((row) => [row.end_to_end_id, row.paid_at]))
  expect(ids.map((id) => paidAt.get(id))).toEqual([charge.createdAt, stray.paidAt])
})

test("a payment that is reported twice is booked once", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  const receipt = receiptOf(charge.txid, 10_000)
  await bookPayments(sandbox, [receipt, receipt])
  await bookPayments(sandbox, [receipt])
  expect(await balanceOf(sellerId)).toBe(8_500)
})

test("a payment that is booked already is reported again without a lock of its page or charge", async () => {
  const charge = await openCharge({ sellerId: await createSeller(sandbox) })
  const receipt = receiptOf(charge.txid, 10_000)
  await bookPayments(sandbox, [receipt])
  const holder = await sandbox.pool.connect()
  try {
    await holder.query("begin")
    await holder.query("select from charge_pages where id = $1 for update", [charge.pageId])
    await holder.query("select from charges where id = $1 for update", [charge.id])
    // It would wait for the locks until its deadline.
    await expect(bookPayments(sandbox, [receipt])).resolves.not.toThrow()
    await holder.query("commit")
  } finally {
    holder.release()
  }
})

test("a payment that is reported a hundred times at once is booked once", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  const receipt = receiptOf(charge.txid, 10_000)
  await Promise.all(Array.from({ length: 100 }, () => bookPayments(sandbox, [receipt])))
  expect(await balanceOf(sellerId)).toBe(8_500)
})

test("a hundred payments to one seller at once add up to the centavo", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, reais: 33.33, maxPayments: null })
  const charges: Awaited<ReturnType<typeof chargeOn>>[] = []
  // One after the other: a hundred at once may outlast the provider's deadline, which isn't what is tested.
  for (let made = 0; made < 100; made += 1) charges.push(await chargeOn(page.id))
  await Promise.all(charges.map((charge) => bookPayments(sandbox, [receiptOf(charge.txid, 3_333)])))
  // 15 % of 33.33 is 4.9995, rounded half up to 5.00.
  expect(await balanceOf(sellerId)).toBe(100 * 2_833)
})

test("a batch to many pages and sellers is booked whole", async () => {
  const sellers = await Promise.all(Array.from({ length: 5 }, () => createSeller(sandbox)))
  const charges = await Promise.all(sellers.flatMap((sellerId) => [openCharge({ sellerId }), openCharge({ sellerId })]))
  await bookPayments(
    sandbox,
    charges.map((charge) => receiptOf(charge.txid, 10_000)),
  )
  expect(await Promise.all(sellers.map(balanceOf))).toEqual(sellers.map(() => 17_000))
})

test("a payment with an unknown txid becomes one unmatched payment", async () => {
  const receipt = receiptOf("nobodyknowsthistxid0000000000001", 5_000)
  await Promise.all([bookPayments(sandbox, [receipt]), bookPayments(sandbox, [receipt])])
  expect(await uncreditedReasonsOf("nobodyknowsthistxid0000000000001")).toEqual(["unknown_txid"])
})

test("a payment without a txid becomes an unmatched payment", async () => {
  const receipt = receiptOf(null, 1_234)
  await bookPayments(sandbox, [receipt])
  const row = await sandbox.db
    .selectFrom("payments")
    .selectAll()
    .where("end_to_end_id", "=", receipt.endToEndId)
    .executeTakeFirst()
  expect(row).toMatchObject({ disposition: "suspense", reason: "unknown_txid", amount_cents: 1_234 })
})

test("another amount never makes a charge pago", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  await bookPayments(sandbox, [receiptOf(charge.txid, 9_999)])
  expect(await balanceOf(sellerId)).toBe(0)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pendente")
  expect(await uncreditedReasonsOf(charge.txid)).toEqual(["wrong_amount"])
})

test("a second payment of the same charge becomes an unmatched payment", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  await bookPayments(sandbox, [receiptOf(charge.txid, 10_000), receiptOf(charge.txid, 10_000)])
  expect(await balanceOf(sellerId)).toBe(8_500)
  expect((await uncreditedReasonsOf(charge.txid)).toSorted()).toEqual(["charge_already_paid", null])
})

test("two codes of a page that takes one payment: both are credited, the second is marked", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const [first, second] = await Promise.all([chargeOn(page.id), chargeOn(page.id)])
  await bookPayments(sandbox, [receiptOf(first.txid, 10_000)])
  expect(await getPaymentStatus(sandbox, second.id)).toBe("cancelado")
  await bookPayments(sandbox, [receiptOf(second.txid, 10_000)])
  expect(await balanceOf(sellerId)).toBe(17_000)
  expect(await getPaymentStatus(sandbox, second.id)).toBe("pago")
  const row = await sandbox.db.selectFrom("charges").selectAll().where("id", "=", second.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ is_late: true, is_duplicate: true })
})

test("a payment after the charge's end is booked and marked late", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  await sandbox.db.updateTable("charges").set({ status: "expired" }).where("id", "=", charge.id).execute()
  const afterwards = new Date(charge.expiresAt.getTime() + 1_000)
  await bookPayments(sandbox, [{ ...receiptOf(charge.txid, 10_000), paidAt: afterwards }])
  const row = await sandbox.db.selectFrom("charges").selectAll().where("id", "=", charge.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: "paid", is_late: true, is_duplicate: false })
  expect(await balanceOf(sellerId)).toBe(8_500)
})

test("a payment that can't be booked doesn't delay its neighbours", async () => {
  const sellerId = await createSeller(sandbox)
  const charge = await openCharge({ sellerId })
  const impossible = { ...receiptOf(null, 100), paidAt: new Date(Number.NaN) }
  await expect(bookPayments(sandbox, [impossible, receiptOf(charge.txid, 10_000)])).rejects.toThrow(AggregateError)
  expect(await balanceOf(sellerId)).toBe(8_500)
})
