import {
  type ChargeStatus,
  chargeStatuses,
  closedStatusOf,
  isOpenCharge,
  isPaid,
} from "@tilinta/contract/vocabulary/transactions"
import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from "fast-check"
import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newTxid } from "#kit/ids"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import { findPlatformDifferences } from "#platform/totals/reads"
import type { PaymentReceived } from "#psp/psp"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { bookPayments } from "./book.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const at = "2026-11-20T12:00:00Z"
const expiry = new Date("2026-11-21T12:00:00Z")
const inTime = new Date(expiry.getTime() - 1_000)
const tooLate = new Date(expiry.getTime() + 1_000)

/** Charges that began as paid, by no payment that is booked. */
const paidAlready = new Set<string>()

const database = await createTestDatabase()
const sellers = await insertSellers(database.db, 2)

afterAll(async () => {
  expect(await verifyLedger(database.db)).toEqual([])
  const differences = await findPaymentDifferences(database.db)
  expect(differences.filter(({ what }) => ![...paidAlready].some((id) => what.includes(id)))).toEqual([])
  expect(await findPlatformDifferences(database.db)).toEqual([])
  await database.drop()
})

const book = (payments: PaymentReceived[]) =>
  bookPayments({ db: database.db, clock: systemClock, log: createLog("silent") }, payments)

interface PageSpec {
  maxPayments: number | null
  isActive: boolean
  charges: ChargeStatus[]
}

interface ChargeRow {
  id: string
  txid: string
  pageId: string
  status: ChargeStatus
  endToEndId: string | null
  isLate: boolean
  isDuplicate: boolean
  removal: string
}

interface PageRow {
  id: string
  status: string
  maxPayments: number | null
  count: number
}

/** Charges over 10.00 in the order of the pages, as their payers and the bank find them. */
async function openPages(specs: PageSpec[]): Promise<string[]> {
  const pageIds = await insertChargePages(
    database.db,
    specs.map(({ maxPayments, isActive }, index) => ({
      sellerId: sellers[index % sellers.length] ?? "",
      at,
      status: isActive ? "active" : "cancelled",
      ...(maxPayments === null ? {} : { maxPayments }),
    })),
  )
  const ids = await insertCharges(
    database.db,
    specs.flatMap(({ charges }, index) =>
      charges.map((status) => ({
        sellerId: sellers[index % sellers.length] ?? "",
        pageId: pageIds[index] ?? "",
        status,
        at,
        expiresAt: expiry,
      })),
    ),
  )
  const statuses = specs.flatMap(({ charges }) => charges)
  for (const [index, id] of ids.entries()) if (isPaid(statuses[index] ?? "pending")) paidAlready.add(id)
  return pageIds
}

async function chargesOf(pageIds: string[]): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    select id, txid, page_id as "pageId", status, end_to_end_id as "endToEndId", is_late as "isLate",
      is_duplicate as "isDuplicate", removal
    from charges where page_id = any(${pageIds}::uuid[]) order by id`.execute(database.db)
  return rows
}

async function pagesOf(pageIds: string[]): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select page.id, page.status, page.max_payments as "maxPayments",
      page.payments_count + coalesce(waiting.count, 0) as count
    from charge_pages page
    left join page_payments waiting on waiting.seller_id = page.seller_id and waiting.page_id = page.id
    where page.id = any(${pageIds}::uuid[])`.execute(database.db)
  return rows
}

interface PaymentRow {
  endToEndId: string
  chargeId: string | null
  reason: string | null
  completedPageId: string | null
  checkedFor: string | null
}

async function paymentsOf(receipts: PaymentReceived[]): Promise<PaymentRow[]> {
  const ids = receipts.map(({ endToEndId }) => endToEndId)
  const { rows } = await sql<PaymentRow>`
    select payment.end_to_end_id as "endToEndId", payment.charge_id as "chargeId", payment.reason,
      payment.completed_page_id as "completedPageId", unmatched.reason as "checkedFor"
    from payments payment left join unmatched_payments unmatched on unmatched.end_to_end_id = payment.end_to_end_id
    where payment.end_to_end_id = any(${ids}::text[])`.execute(database.db)
  return rows
}

const oneCharge = (status: ChargeStatus, isActive = true): PageSpec => ({
  maxPayments: null,
  isActive,
  charges: [status],
})

test.for(chargeStatuses)("a payment of a charge that is %s does what the vocabulary says of it", async (status) => {
  const pageIds = await openPages([oneCharge(status), oneCharge(status)])
  const [first, second] = (await chargesOf(pageIds)) as [ChargeRow, ChargeRow]
  const receipts = [
    { ...receiptOf(first.txid, 1_000), paidAt: inTime },
    { ...receiptOf(second.txid, 1_000), paidAt: tooLate },
  ]
  await book(receipts)
  const paid = isPaid(status)
  const mayBeLate = !(paid || isOpenCharge(status))
  const isLate = [mayBeLate && status !== "expired", mayBeLate]
  const reasons = (await paymentsOf(receipts)).toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
  expect(reasons).toMatchObject(
    isLate.map((late) =>
      paid
        ? { reason: "charge_already_paid", checkedFor: "charge_already_paid" }
        : { reason: null, checkedFor: late ? "late" : null },
    ),
  )
  expect(await chargesOf(pageIds)).toMatchObject(
    isLate.map((late) => ({ status: paid ? status : "paid", isLate: late })),
  )
})

test("the last payment that a page takes ends its other open codes; the ends of others stay", async () => {
  const pageIds = await openPages([{ maxPayments: 1, isActive: true, charges: ["pending", ...chargeStatuses] }])
  const [first, ...others] = (await chargesOf(pageIds)) as [ChargeRow, ...ChargeRow[]]
  await book([receiptOf(first.txid, 1_000)])
  expect(await chargesOf(pageIds)).toMatchObject([
    { status: "paid", removal: "none" },
    ...others.map(({ status }) =>
      isOpenCharge(status) ? { status: closedStatusOf[status], removal: "due" } : { status, removal: "none" },
    ),
  ])
  const { rows } = await sql<{ waits: boolean }>`
    select removal_not_before > now() as waits from charges where page_id = ${pageIds[0]} and removal = 'due'
    order by status`.execute(database.db)
  expect(rows).toEqual([{ waits: false }, { waits: true }])
})

test("a cancelled page that is still paid stays cancelled, and the payment is late", async () => {
  const pageIds = await openPages([{ maxPayments: 1, isActive: false, charges: ["cancelled"] }])
  const [charge] = (await chargesOf(pageIds)) as [ChargeRow]
  await book([receiptOf(charge.txid, 1_000)])
  expect(await chargesOf(pageIds)).toMatchObject([{ status: "paid", isLate: true }])
  expect(await pagesOf(pageIds)).toMatchObject([{ status: "cancelled", count: 1 }])
})

test("the first payment of a batch takes the last place of its page, whatever its code was", async () => {
  const pageIds = await openPages([{ maxPayments: 1, isActive: true, charges: ["expired", "pending"] }])
  const [expired, pending] = (await chargesOf(pageIds)) as [ChargeRow, ChargeRow]
  await book([receiptOf(expired.txid, 1_000), receiptOf(pending.txid, 1_000)])
  expect(await chargesOf(pageIds)).toMatchObject([
    { status: "paid", isDuplicate: false },
    { status: "paid", isDuplicate: true },
  ])
})

const anyPage = record({
  maxPayments: constantFrom(null, 1, 2, 3),
  isActive: constantFrom(true, true, true, false),
  charges: array(
    constantFrom<ChargeStatus>("creating", "pending", "pending", "pending", "expired", "cancelled", "failed", "paid"),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
})

const anyPayment = record({
  charge: integer({ min: 0, max: 15 }),
  /** Rarely nobody's. */
  named: constantFrom("charge", "charge", "charge", "charge", "charge", "nobody", "none"),
  amountCents: constantFrom(1_000, 1_000, 1_000, 1_000, 999),
  provider: constantFrom("simulator", "simulator", "simulator", "simulator", "other"),
  isInTime: boolean(),
})

type Played = PaymentReceived & { chargeBefore: ChargeRow | undefined }

/** Whether nothing but an earlier payment keeps it from its charge. */
function fits({ chargeBefore, amountCents, provider }: Played): boolean {
  return chargeBefore !== undefined && !isPaid(chargeBefore.status) && amountCents === 1_000 && provider === "simulator"
}

function isLateFor({ chargeBefore, paidAt }: Played): boolean {
  const status = chargeBefore?.status ?? "pending"
  return status === "expired" ? paidAt > expiry : !isOpenCharge(status)
}

function expectPayments(played: Played[], rows: PaymentRow[], after: ChargeRow[]): void {
  expect(rows).toHaveLength(played.length)
  const byId = new Map(rows.map((row) => [row.endToEndId, row]))
  for (const payment of played) {
    const { chargeBefore, endToEndId } = payment
    const row = byId.get(endToEndId)
    const charge = after.find(({ id }) => id === chargeBefore?.id)
    const isCredited = row?.reason === null
    expect(isCredited).toBe(charge?.endToEndId === endToEndId)
    expect(row?.chargeId).toBe(chargeBefore?.id ?? null)
    if (isCredited) expectCredited(payment, row, charge)
    else expectUncredited(payment, row, charge)
  }
}

function expectCredited(payment: Played, row: PaymentRow | undefined, charge: ChargeRow | undefined): void {
  const { chargeBefore } = payment
  expect(fits(payment)).toBe(true)
  // Its page was completed by another payment before this one came.
  const wasEnded = chargeBefore !== undefined && isOpenCharge(chargeBefore.status) && charge?.isLate === true
  expect(charge).toMatchObject(
    wasEnded
      ? { status: "paid", isDuplicate: true, removal: "due" }
      : { status: "paid", isLate: isLateFor(payment), removal: "none" },
  )
  expect(row?.checkedFor).toBe(charge?.isDuplicate ? "duplicate" : charge?.isLate ? "late" : null)
}

function expectUncredited(payment: Played, row: PaymentRow | undefined, charge: ChargeRow | undefined): void {
  expect(row?.checkedFor).toBe(row?.reason)
  if (row?.reason === "charge_already_paid") expect(charge?.status).toBe("paid")
  else if (payment.chargeBefore === undefined || payment.provider !== "simulator")
    expect(row?.reason).toBe("unknown_txid")
  else expect([row?.reason, payment.amountCents]).toEqual(["wrong_amount", 999])
}

function expectPages(before: PageRow[], pages: PageRow[], rows: PaymentRow[], charges: [ChargeRow, ChargeRow][]): void {
  for (const page of pages) {
    const was = before.find(({ id }) => id === page.id)
    const credited = charges.filter(([old, now]) => now.pageId === page.id && !isPaid(old.status) && isPaid(now.status))
    const isFull = page.maxPayments !== null && credited.length >= page.maxPayments
    expect(page.count).toBe(credited.length)
    expect(page.status).toBe(was?.status === "active" && isFull ? "completed" : was?.status)
    expect(credited.filter(([, now]) => now.isDuplicate)).toHaveLength(
      page.maxPayments === null ? 0 : Math.max(0, credited.length - page.maxPayments),
    )
    const completing = rows.filter(({ completedPageId }) => completedPageId === page.id)
    expect(completing).toHaveLength(page.status === "completed" ? 1 : 0)
    for (const [old, now] of charges.filter(([, { pageId }]) => pageId === page.id)) {
      if (credited.some(([, paid]) => paid.id === now.id)) continue
      const isEnded = page.status === "completed" && isOpenCharge(old.status)
      expect(now.status).toBe(isEnded && isOpenCharge(old.status) ? closedStatusOf[old.status] : old.status)
      expect(now.removal).toBe(isEnded ? "due" : "none")
    }
  }
}

// In one statement each, in any order, some told twice, some batches at once.
test("whatever is paid, every payment is booked once and every charge and page ends as it should", {
  timeout: 900_000,
}, async () => {
  const batches = array(
    record({ payments: array(anyPayment, { minLength: 1, maxLength: 8 }), isAtOnce: boolean(), again: boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await assert(
    asyncProperty(array(anyPage, { minLength: 1, maxLength: 3 }), batches, async (specs, played) => {
      const pageIds = await openPages(specs)
      const [charges, pages] = [await chargesOf(pageIds), await pagesOf(pageIds)]
      const all: Played[][] = played.map(({ payments }) =>
        payments.map(({ charge, named, isInTime, ...bank }) => {
          const chargeBefore = named === "charge" ? charges[charge % charges.length] : undefined
          const txid = named === "nobody" ? newTxid(new Date()) : (chargeBefore?.txid ?? null)
          const received = { ...receiptOf(txid, bank.amountCents), provider: bank.provider }
          return { ...received, paidAt: isInTime ? inTime : tooLate, chargeBefore }
        }),
      )
      let waiting: Promise<void>[] = []
      for (const [index, batch] of all.entries()) {
        waiting.push(book(batch))
        if (played[index]?.again === true) waiting.push(book([...batch.toReversed(), ...batch.slice(1)]))
        if (played[index]?.isAtOnce !== true) {
          await Promise.all(waiting)
          waiting = []
        }
      }
      await Promise.all(waiting)
      await Promise.all([book(all.flat()), book(all.flat().toReversed())])

      const [rows, after] = [await paymentsOf(all.flat()), await chargesOf(pageIds)]
      expectPayments(all.flat(), rows, after)
      const pairs = after.map((charge, index) => [charges[index] as ChargeRow, charge] as [ChargeRow, ChargeRow])
      for (const [old, now] of pairs) {
        const fitting = all.flat().filter((payment) => payment.chargeBefore?.id === old.id && fits(payment))
        expect(fitting.some(({ endToEndId }) => endToEndId === now.endToEndId)).toBe(fitting.length > 0)
        const isInOrder = played.every(({ isAtOnce, again }) => !(isAtOnce || again))
        if (isInOrder && fitting.length > 0) expect(now.endToEndId).toBe(fitting[0]?.endToEndId)
      }
      expectPages(pages, await pagesOf(pageIds), rows, pairs)
    }),
    { numRuns: 60 },
  )
})
