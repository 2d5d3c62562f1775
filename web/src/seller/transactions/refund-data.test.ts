import { expect, test } from "vitest"
import { isRefundable, refundPartsOf } from "./refund-data.ts"

const paid = { grossAmount: 100, fee: 15 }
const none = { refunds: [], refundable: 100 }

test("the fee's part goes back with the amount, and the rest leaves the balance", () => {
  expect(refundPartsOf(40, paid, none)).toEqual({ fee: 6, fromBalance: 34 })
  expect(refundPartsOf(100, paid, none)).toEqual({ fee: 15, fromBalance: 85 })
  expect(refundPartsOf(0.01, paid, none)).toEqual({ fee: 0, fromBalance: 0.01 })
})

test("the parts of a whole refund add up to the whole fee, whatever was refused between", () => {
  const third = { amount: 33.33, fee: 5, status: "completed" } as const
  const refused = { amount: 66.67, fee: 10, status: "refused" } as const
  const second = refundPartsOf(33.33, paid, { refunds: [third, refused], refundable: 66.67 })
  const refunds = [third, refused, { amount: 33.33, fee: second.fee, status: "processing" } as const]
  const last = refundPartsOf(33.34, paid, { refunds, refundable: 33.34 })
  expect(third.fee + second.fee + last.fee).toBe(paid.fee)
  expect(last.fee + last.fromBalance).toBeCloseTo(33.34)
})

test("only what was paid and is not on its way back already can be refunded", () => {
  expect(isRefundable({ status: "pago" }, none)).toBe(true)
  expect(isRefundable({ status: "pago" }, { refunds: [], refundable: 0 })).toBe(false)
  expect(isRefundable({ status: "estornado" }, none)).toBe(false)
  expect(isRefundable({ status: "pago" }, undefined)).toBe(false)
  expect(isRefundable(undefined, none)).toBe(false)
})
