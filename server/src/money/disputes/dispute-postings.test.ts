import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { newId } from "#kit/ids"
import { blockPostings, type Dispute } from "./rules.ts"

const at = new Date("2026-11-01T12:00:00Z")
const dispute = { id: newId(), sellerId: newId(), blockedCents: 500 as Cents, movements: 1 } as Dispute

test("what a dispute blocks may overdraw, and what it releases may not", () => {
  expect(blockPostings(dispute, 800 as Cents, at)?.postings).toMatchObject([{ amountCents: 300, mayOverdraw: true }])
  const released = blockPostings(dispute, 0 as Cents, at)?.postings
  expect(released?.map(({ amountCents, mayOverdraw }) => [amountCents, mayOverdraw])).toEqual([[500, undefined]])
})
