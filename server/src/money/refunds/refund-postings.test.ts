import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { newId } from "#kit/ids"
import {
  byBankPostings,
  completedRefundPostings,
  type Refund,
  refundRequestPostings,
  returnedPostings,
} from "./rules.ts"

const at = new Date("2026-11-01T12:00:00Z")
const refund = {
  id: newId(),
  provider: "simulator",
  sellerId: newId(),
  amountCents: 4_000 as Cents,
  feeCents: 600 as Cents,
} as Refund

test("only the bank's own refund may overdraw, with all of its postings", () => {
  const taken = byBankPostings(refund, at, 1_000 as Cents).postings
  expect(taken.map(({ amountCents, mayOverdraw }) => [amountCents, mayOverdraw])).toEqual([
    [1_000, true],
    [2_400, true],
    [600, true],
  ])
  const ordinary = [refundRequestPostings, completedRefundPostings, returnedPostings].flatMap(
    (recipe) => recipe(refund, at).postings,
  )
  expect(ordinary.filter(({ mayOverdraw }) => mayOverdraw !== undefined)).toEqual([])
})
