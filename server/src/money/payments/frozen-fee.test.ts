import { afterAll, expect, test } from "vitest"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import { changeSetting, initializeSettings } from "#platform/settings/manage"
import { createCharge } from "#selling/charges/create"
import { listSellersCharges } from "#selling/charges/lists"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { readSellerBalance } from "./reads.ts"

const sandbox = await openSandbox()
const sellerId = await createSeller(sandbox)
await initializeSettings(sandbox, { id: sellerId, address: null })

afterAll(() => sandbox.close())

async function setFee(value: number): Promise<void> {
  const change = { key: "TRANSACTION_FEE_PERCENTAGE", changes: { value } }
  await changeSetting({ ...sandbox, notifyOfSetting }, { id: sellerId, address: null }, change)
}

async function newCharge(ofSeller: string, reais: number) {
  const page = await createPage(sandbox, { sellerId: ofSeller, reais })
  return createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
}

test("M02: a fee of 0 is 0", async () => {
  const seller = await createSeller(sandbox)
  await setFee(0)
  const charge = await newCharge(seller, 10)
  expect(charge).toMatchObject({ feeCents: 0, netCents: 1_000 })
  await bookPayments(sandbox, [receiptOf(charge.txid, 1_000)])
  expect(await readSellerBalance(sandbox.db, seller)).toBe(1_000)
})

test("M03: a charge keeps the fee that it was made with, whatever the fee is when it is paid or read", async () => {
  const seller = await createSeller(sandbox)
  await setFee(15)
  const before = await newCharge(seller, 100)
  await bookPayments(sandbox, [receiptOf(before.txid, 10_000)])
  const open = await newCharge(seller, 100)
  await setFee(50)
  await bookPayments(sandbox, [receiptOf(open.txid, 10_000)])
  expect(await readSellerBalance(sandbox.db, seller)).toBe(2 * 8_500)
  const { charges, summary } = await listSellersCharges(sandbox, { sellerId: seller }, { offset: 0, limit: 10 })
  expect(charges.map(({ feeCents, netCents }) => [feeCents, netCents])).toEqual([
    [1_500, 8_500],
    [1_500, 8_500],
  ])
  expect(summary).toMatchObject({ feeCents: 3_000, netCents: 17_000 })
})
