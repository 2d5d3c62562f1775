import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { searchOwn } from "#overviews/search/search"
import { insertCharge, insertCharges } from "../../../test-support/insert-charge.ts"
import { createPage, createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import type { ChargeFilter } from "./list-reads.ts"
import { foldChargeChanges, listSellersCharges } from "./lists.ts"

let sandbox: Sandbox
let sellerId: string
let pageId: string

beforeAll(async () => {
  sandbox = await openSandbox()
  sellerId = await createSeller(sandbox)
  pageId = (await createPage(sandbox, { sellerId, maxPayments: null })).id
  // 02:30 UTC on 1 November is 23:30 of 31 October in São Paulo.
  await insert({ at: "2026-11-01T02:30:00Z", status: "paid", payerName: "José" })
  await insert({ at: "2026-11-01T03:30:00Z", status: "pending" })
  await insert({ at: "2026-11-02T12:00:00Z", status: "paid" })
  await insert({ at: "2026-11-03T12:00:00Z", status: "creating" })
})

afterAll(async () => {
  await sandbox.close()
})

const insert = (options: { at: string; status: "paid" | "pending" | "creating"; payerName?: string }) =>
  insertCharge(sandbox.db, { sellerId, pageId, ...options })

const list = (filter: Omit<ChargeFilter, "sellerId">, limit = 10) =>
  listSellersCharges(sandbox, { sellerId, ...filter }, { offset: 0, limit })

test("lists newest first, without charges still being created", async () => {
  const { charges, summary } = await list({})
  expect(charges.map((charge) => charge.createdAt.toISOString())).toEqual([
    "2026-11-02T12:00:00.000Z",
    "2026-11-01T03:30:00.000Z",
    "2026-11-01T02:30:00.000Z",
  ])
  expect(summary).toMatchObject({
    count: 3,
    paidCount: 2,
    pendingCount: 1,
    grossCents: 2_000,
    netCents: 1_700,
    pendingCents: 1_000,
  })
})

test("the totals cover everything found, whatever the page", async () => {
  const { charges, summary } = await list({}, 1)
  expect(charges).toHaveLength(1)
  expect(summary.count).toBe(3)
})

test("days are those of São Paulo, both ends included", async () => {
  const october = await list({ dayTo: "2026-10-31" })
  expect([october.charges.length, october.summary.count, october.summary.netCents]).toEqual([1, 1, 850])
  const first = await list({ dayFrom: "2026-11-01", dayTo: "2026-11-01" })
  expect([first.charges.length, first.summary.count, first.summary.netCents]).toEqual([1, 1, 0])
})

test("a refund leaves every sum when it is booked, whether its changes are folded or not", async () => {
  const seller = await createSeller(sandbox)
  const of = { sellerId: seller, pageId: (await createPage(sandbox, { sellerId: seller, maxPayments: null })).id }
  const at = "2026-11-05T12:00:00Z"
  const [id = ""] = await insertCharges(sandbox.db, [
    { ...of, at, status: "paid", amountCents: 10_000 },
    { ...of, at, status: "paid", amountCents: 2_000 },
    { ...of, at, status: "pending", amountCents: 3_333 },
    { ...of, at, status: "expired", amountCents: 7_000 },
  ])
  const giveBack = (refunded: number, fee: number, status: "paid" | "refunded") =>
    sandbox.db
      .updateTable("charges")
      .set({ refunded_cents: refunded as Cents, refunded_fee_cents: fee as Cents, status })
      .where("id", "=", id)
      .execute()
  const expectSums = async (sums: object) => {
    const searched = { search: "mentoria" }
    const days = { dayFrom: "2026-11-05", dayTo: "2026-11-05" }
    for (const filter of [{}, days, searched]) {
      const { summary } = await listSellersCharges(
        sandbox,
        { sellerId: of.sellerId, ...filter },
        { offset: 0, limit: 10 },
      )
      expect(summary).toMatchObject({ count: 4, pendingCents: 3_333, ...sums })
    }
  }
  const foldedAndNot = async (sums: object) => {
    await expectSums(sums)
    await foldChargeChanges(sandbox)
    await expectSums(sums)
  }
  await expectSums({ grossCents: 12_000, feeCents: 1_800, netCents: 10_200, refundedCents: 0, paidCount: 2 })
  await giveBack(9_000, 1_350, "paid")
  await foldedAndNot({ grossCents: 3_000, feeCents: 450, netCents: 2_550, refundedCents: 9_000, paidCount: 2 })
  await giveBack(9_000, 1_350, "paid")
  await foldedAndNot({ grossCents: 3_000, feeCents: 450, netCents: 2_550, refundedCents: 9_000 })
  await giveBack(10_000, 1_500, "refunded")
  await foldedAndNot({ grossCents: 2_000, feeCents: 300, netCents: 1_700, refundedCents: 10_000, paidCount: 1 })
})

test("a status narrows list and totals", async () => {
  const { charges, summary } = await list({ statuses: ["pending"] })
  expect([charges.length, summary.count, summary.netCents]).toEqual([1, 1, 0])
})

test("a search matches the payer's name without accents, and its totals are exact", async () => {
  const { charges, summary } = await list({ search: "jose" })
  expect(charges.map((charge) => charge.payer.name)).toEqual(["José"])
  expect(summary).toMatchObject({ count: 1, netCents: 850, isExact: true })
})

test("by keyset: the rows after a row", async () => {
  const { charges } = await list({})
  const { charges: rest, summary } = await listSellersCharges(
    sandbox,
    { sellerId },
    { limit: 10, offset: 0, after: charges[0]?.id },
  )
  expect(rest.map(({ id }) => id)).toEqual(charges.slice(1).map(({ id }) => id))
  expect(summary.count).toBe(3)
})

test("a search for % finds nothing where there is none", async () => {
  expect((await list({ search: "%" })).summary.count).toBe(0)
})

test("a charge is found by its page's title at the time, and by the beginning of its ids, from its commit on", async () => {
  const other = await createSeller(sandbox)
  const renamed = (await createPage(sandbox, { sellerId: other, maxPayments: null })).id
  const endToEndId = "E000000002026111015007bK2xQ9ZtPa"
  const at = "2026-11-10T12:00:00Z"
  const [first, second] = await insertCharges(sandbox.db, [
    { sellerId: other, pageId: renamed, status: "pending", at, pageTitle: "Aula de Violão", description: "Às terças" },
    { sellerId: other, pageId: renamed, status: "paid", at, pageTitle: "Aula de flauta", endToEndId },
  ])
  const payment = { end_to_end_id: endToEndId, provider: "simulator", charge_id: second ?? null, seller_id: other }
  await sandbox.db
    .insertInto("payments")
    .values({
      ...payment,
      amount_cents: 1_000 as Cents,
      fee_cents: 150 as Cents,
      paid_at: new Date(at),
      disposition: "credited",
    })
    .execute()
  const { txid } = await sandbox.db
    .selectFrom("charges")
    .select("txid")
    .where("id", "=", first ?? "")
    .executeTakeFirstOrThrow()
  const found = async (search: string, seller = other) => {
    const { charges, summary } = await listSellersCharges(
      sandbox,
      { sellerId: seller, search },
      { offset: 0, limit: 10 },
    )
    expect(summary.count).toBe(charges.length)
    const { charges: quick } = await searchOwn(sandbox, { words: search, sellerId: seller })
    expect(quick.map(({ id }) => id).toSorted()).toEqual(charges.map(({ id }) => id).toSorted())
    return charges.map(({ id }) => id)
  }
  for (const search of ["violao", "AULA DE VIOLÃO", "às ter", txid ?? "", txid?.toUpperCase().slice(0, 14) ?? ""]) {
    expect(await found(search)).toEqual([first])
  }
  for (const search of ["flauta", endToEndId, endToEndId.toLowerCase(), "e00000000202611101500", "bK2xQ9ZtP"]) {
    expect(await found(search)).toEqual([second])
  }
  expect(await found("aula de")).toHaveLength(2)
  for (const search of ["violão", txid ?? "", endToEndId]) expect(await found(search, sellerId)).toEqual([])
})
