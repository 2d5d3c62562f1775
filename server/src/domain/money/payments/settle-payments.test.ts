import { array, assert, constantFrom, property, record } from "fast-check"
import { expect, test } from "vitest"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"
import { noOrder } from "#domain/selling/charge-pages/order"
import type { AskedCharge } from "#domain/selling/charges/charge"
import type { Cents } from "#kit/money"
import type { PaymentReceived } from "#psp/psp"
import { settlePayments } from "./settle-payments.ts"

const moment = new Date("2026-11-21T12:00:00Z")

function charge(txid: string, changes: Partial<AskedCharge> = {}): AskedCharge {
  return {
    id: `charge-${txid}`,
    sellerId: "seller-1",
    pageId: "page-1",
    txid,
    provider: "bank",
    status: "pending",
    amountCents: 1_000 as Cents,
    feeBasisPoints: 1500,
    feeCents: 150 as Cents,
    netCents: 850 as Cents,
    refundedFeeCents: 0 as Cents,
    refundedCents: 0 as Cents,
    pageTitle: "Curso",
    description: "",
    openedAt: null,
    pixCode: "000201",
    expiresAt: moment,
    payer: { name: null, email: null, cpf: null, phone: null },
    payerErasedAt: null,
    idempotencyKey: null,
    requestHash: null,
    endToEndId: null,
    paidAt: null,
    isLate: false,
    isDuplicate: false,
    removal: "none",
    createdAt: moment,
    updatedAt: moment,
    ...changes,
  }
}

function page(changes: Partial<ChargePage> = {}): ChargePage {
  return {
    id: "page-1",
    sellerId: "seller-1",
    title: "Curso",
    description: "",
    amountCents: 1_000 as Cents,
    uniqueLink: "LinkLinkLink1",
    slug: "curso",
    status: "active",
    allowAnonymous: true,
    requireName: false,
    requireEmail: false,
    requirePhone: false,
    requireCpf: false,
    expiresInHours: 24,
    expiresAt: null,
    maxPayments: 1,
    isSingle: false,
    order: noOrder,
    paymentsCount: 0,
    suspension: null,
    createdAt: moment,
    updatedAt: moment,
    ...changes,
  }
}

let receipts = 0

function received(txid: string | null, amountCents = 1_000): PaymentReceived {
  receipts += 1
  return {
    provider: "bank",
    endToEndId: `E${receipts}`,
    txid,
    amountCents: amountCents as Cents,
    paidAt: moment,
    refunds: [],
  }
}

function settle(payments: PaymentReceived[], charges: AskedCharge[], pages: ChargePage[] = [page()]) {
  return settlePayments(
    payments,
    charges.map((each) => ({ ...each, day: "2026-11-21" })),
    new Map(pages.map((each) => [each.id, { ...each, added: 0 }])),
  )
}

test("the last payment that a page takes completes it and ends its other open codes", () => {
  const { outcomes, pages } = settle([received("a")], [charge("a"), charge("b"), charge("c", { status: "creating" })])
  expect(pages).toMatchObject([{ status: "completed", paymentsCount: 1 }])
  expect(outcomes).toMatchObject([
    { id: "charge-a", status: "paid", removal: "none" },
    { id: "charge-b", status: "cancelled", removal: "due" },
    { id: "charge-c", status: "failed", removal: "due" },
  ])
})

test("a page that takes more payments stays active, and its other codes stay open", () => {
  const { outcomes, pages } = settle([received("a")], [charge("a"), charge("b")], [page({ maxPayments: null })])
  expect(pages).toMatchObject([{ status: "active", paymentsCount: 1 }])
  expect(outcomes).toHaveLength(1)
})

test("two payments of one batch to a page that takes one: the second is a duplicate, and both are paid", () => {
  const { outcomes, pages } = settle([received("a"), received("b")], [charge("a"), charge("b")])
  expect(outcomes).toMatchObject([
    { id: "charge-a", status: "paid", isDuplicate: false },
    { id: "charge-b", status: "paid", isDuplicate: true },
  ])
  expect(pages).toMatchObject([{ paymentsCount: 2, status: "completed" }])
})

test("a cancelled page that is still paid stays cancelled, and the payment is late", () => {
  const charges = [charge("a", { status: "cancelled" })]
  const { outcomes, pages } = settle([received("a")], charges, [page({ status: "cancelled" })])
  expect(outcomes).toMatchObject([{ status: "paid", isLate: true }])
  expect(pages).toMatchObject([{ status: "cancelled", paymentsCount: 1 }])
})

test("a payment made in time but reported after the end isn't late", () => {
  const expired = charge("a", { status: "expired", expiresAt: new Date(moment.getTime() + 1_000) })
  expect(settle([received("a")], [expired]).outcomes).toMatchObject([{ status: "paid", isLate: false }])
  const over = charge("a", { status: "expired", expiresAt: new Date(moment.getTime() - 1_000) })
  expect(settle([received("a")], [over]).outcomes).toMatchObject([{ status: "paid", isLate: true }])
})

test("a payment through another provider isn't this charge's", () => {
  const { payments, outcomes } = settle([{ ...received("a"), provider: "other" }], [charge("a")])
  expect(payments).toMatchObject([{ reason: "unknown_txid" }])
  expect(outcomes).toEqual([])
})

// For any payments in any order: no charge is paid twice, and every centavo is credited or waits in suspense.
test("each payment is either credited to one charge or waits, and a charge takes one payment at most", () => {
  const anyPayment = record({ txid: constantFrom("a", "b", "c", "nobody", null), amount: constantFrom(1_000, 999) })
  const anyStatus = constantFrom("creating", "pending", "paid", "expired", "cancelled", "failed", "refunded" as const)
  assert(
    property(array(anyPayment), array(anyStatus, { minLength: 3, maxLength: 3 }), (reported, statuses) => {
      const charges = ["a", "b", "c"].map((txid, index) => charge(txid, { status: statuses[index] ?? "pending" }))
      const { payments, outcomes } = settle(
        reported.map(({ txid, amount }) => received(txid, amount)),
        charges,
      )
      expect(payments).toHaveLength(reported.length)
      const credited = payments.filter(({ reason }) => reason === null)
      const ids = credited.map((payment) => payment.charge?.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(outcomes.filter(({ status }) => status === "paid").map(({ id }) => id)).toEqual(ids)
      for (const { received: money, charge: its } of credited) expect(money.amountCents).toBe(its?.amountCents)
    }),
  )
})
