import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { recordReportedRefunds } from "./reported.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

test("a refund of the bank that is told of days later happened when the bank says so, and is booked as of now", async () => {
  const charge = await openPaidCharge(sandbox)
  const [before, settledAt] = [new Date(), secondsAfter(new Date(), -2 * 86_400)]
  const reported = { state: "completed", amountCents: 2_500 as Cents, returnId: null, reason: null, settledAt } as const
  const refunds = [{ ...reported, pspRefundId: "tarde" }]
  await recordReportedRefunds(sandbox, [{ ...receiptOf(null, 10_000), endToEndId: charge.endToEndId, refunds }])
  const postings = sandbox.db.selectFrom("journal").select(["occurred_at", "booked_at"])
  const booked = await postings.where("kind", "=", "refund-by-bank").where("seller_id", "=", charge.sellerId).execute()
  expect(booked.map(({ occurred_at }) => occurred_at)).toEqual([settledAt, settledAt])
  for (const { booked_at } of booked) expect(booked_at >= before).toBe(true)
})
