import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { createPage, createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import type { ChargeFilter } from "./charge-lists-repository.ts"
import { listSellersCharges } from "./list-charges.ts"

let sandbox: Sandbox
let sellerId: string
let pageId: string

beforeAll(async () => {
  sandbox = await openSandbox()
  sellerId = await createSeller(sandbox)
  pageId = (await createPage(sandbox, { sellerId, maxPayments: null })).id
  // 23:30 of 31 October in São Paulo is 02:30 of 1 November in UTC.
  await insert({ at: "2026-11-01T02:30:00Z", status: "paid", payerName: "José" })
  await insert({ at: "2026-11-01T03:30:00Z", status: "pending" })
  await insert({ at: "2026-11-02T12:00:00Z", status: "paid" })
  await insert({ at: "2026-11-03T12:00:00Z", status: "creating" })
})

afterAll(async () => {
  await sandbox.close()
})

const insert = (wishes: { at: string; status: "paid" | "pending" | "creating"; payerName?: string }) =>
  insertCharge(sandbox.db, { sellerId, pageId, ...wishes })

const list = (filter: Omit<ChargeFilter, "sellerId">, limit = 10) =>
  listSellersCharges({ db: sandbox.db, clock: systemClock }, { sellerId, ...filter }, { offset: 0, limit })

test("newest first; what is still being created is nobody's business", async () => {
  const { charges, summary } = await list({})
  expect(charges.map((charge) => charge.createdAt.toISOString())).toEqual([
    "2026-11-02T12:00:00.000Z",
    "2026-11-01T03:30:00.000Z",
    "2026-11-01T02:30:00.000Z",
  ])
  expect(summary).toMatchObject({ count: 3, paidCount: 2, pendingCount: 1, grossCents: 3_000, receivedCents: 1_700 })
})

test("the totals are of all that is found, whatever the page shows", async () => {
  const { charges, summary } = await list({}, 1)
  expect(charges).toHaveLength(1)
  expect(summary.count).toBe(3)
})

test("days are those of São Paulo, both ends included", async () => {
  const october = await list({ dayTo: "2026-10-31" })
  expect([october.charges.length, october.summary.count, october.summary.receivedCents]).toEqual([1, 1, 850])
  const first = await list({ dayFrom: "2026-11-01", dayTo: "2026-11-01" })
  expect([first.charges.length, first.summary.count, first.summary.receivedCents]).toEqual([1, 1, 0])
})

test("a status narrows list and totals", async () => {
  const { charges, summary } = await list({ statuses: ["pending"] })
  expect([charges.length, summary.count, summary.receivedCents]).toEqual([1, 1, 0])
})

test("a search looks at the payer's name without accents, and its totals are exact", async () => {
  const { charges, summary } = await list({ search: "jose" })
  expect(charges.map((charge) => charge.payer.name)).toEqual(["José"])
  expect(summary).toMatchObject({ count: 1, receivedCents: 850 })
})

test("by key: what follows a row", async () => {
  const { charges } = await list({})
  const { charges: rest, summary } = await listSellersCharges(
    { db: sandbox.db, clock: systemClock },
    { sellerId },
    { limit: 10, offset: 0, after: charges[0]?.id },
  )
  expect(rest.map(({ id }) => id)).toEqual(charges.slice(1).map(({ id }) => id))
  expect(summary.count).toBe(3)
})

test("a search for % finds nothing where there is none", async () => {
  expect((await list({ search: "%" })).summary.count).toBe(0)
})
