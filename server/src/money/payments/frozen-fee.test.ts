import { afterAll, describe, expect, test } from "vitest"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import { changeSetting, initializeSettings } from "#platform/settings/manage"
import { createCharge } from "#selling/charges/create"
import { listSellersCharges } from "#selling/charges/lists"
import { changeAccount } from "#selling/closings/closings"
import { createAdmin, createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { readSellerBalance } from "./reads.ts"

const sandbox = await openSandbox()
const sellerId = await createSeller(sandbox)
await initializeSettings(sandbox, { id: sellerId, address: null })

const admin = { id: await createAdmin(sandbox), address: null }

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

describe("a fee of the seller's own", () => {
  const recovered: string[] = []
  const onRecovery = async (_tx: unknown, userId: string) => void recovered.push(userId)
  const setOwnFee = (id: string, feePercentage: number | null) =>
    changeAccount({ ...sandbox, protection: "relaxed", onRecovery }, { id, admin, changes: { feePercentage } })

  test("is that of codes made from then on, 0 too, and theirs alone; null is the platform's again", async () => {
    await setFee(15)
    const [seller, other] = [await createSeller(sandbox), await createSeller(sandbox)]
    const open = await newCharge(seller, 100)
    await setOwnFee(seller, 7.25)
    const own = await newCharge(seller, 100)
    expect(own).toMatchObject({ feeCents: 725, netCents: 9_275 })
    expect(await newCharge(other, 100)).toMatchObject({ feeCents: 1_500 })
    await setFee(50)
    await setOwnFee(seller, 0)
    await bookPayments(sandbox, [receiptOf(open.txid, 10_000), receiptOf(own.txid, 10_000)])
    expect(await readSellerBalance(sandbox.db, seller)).toBe(8_500 + 9_275)
    expect(await newCharge(seller, 100)).toMatchObject({ feeCents: 0 })
    await setOwnFee(seller, null)
    expect(await newCharge(seller, 100)).toMatchObject({ feeCents: 5_000 })
    expect(recovered).toEqual([])
  })

  test("set twice is set once: one record, one notice", async () => {
    const seller = await createSeller(sandbox)
    await setOwnFee(seller, 9)
    await setOwnFee(seller, 9)
    const records = sandbox.db.selectFrom("audit_records").select(["before", "after"]).where("entity_id", "=", seller)
    expect(await records.execute()).toEqual([{ before: { feePercentage: null }, after: { feePercentage: 9 } }])
    const notices = await sandbox.db.selectFrom("notices").select("content").where("user_id", "=", seller).execute()
    expect(notices.map(({ content }) => content)).toMatchObject([
      { changes: [{ label: "Taxa da plataforma", before: "a da plataforma", after: "9%" }] },
    ])
  })

  test("changed while codes are made, each code has one fee as a whole, the old or the new, and is paid with it", async () => {
    await setFee(15)
    const seller = await createSeller(sandbox)
    await setOwnFee(seller, 10)
    const made = await Promise.all([
      ...Array.from({ length: 5 }, () => newCharge(seller, 100)),
      setOwnFee(seller, 20),
      setOwnFee(seller, 20),
      ...Array.from({ length: 5 }, () => newCharge(seller, 100)),
    ])
    const charges = made.filter((each) => "feeCents" in each)
    for (const { feeCents, netCents, fee } of charges) {
      expect([1_000, 2_000]).toContain(feeCents)
      expect(feeCents + netCents).toBe(10_000)
      expect(fee.basisPoints).toBe(feeCents)
    }
    await bookPayments(
      sandbox,
      charges.map(({ txid }) => receiptOf(txid, 10_000)),
    )
    const net = charges.reduce((sum, { netCents }) => sum + netCents, 0)
    expect(await readSellerBalance(sandbox.db, seller)).toBe(net)
    expect(await newCharge(seller, 100)).toMatchObject({ feeCents: 2_000 })
  })
})
