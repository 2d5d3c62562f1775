import { type Cents, feeShareOf } from "@tilinta/contract/vocabulary/money"
import { array, assert, constantFrom, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { blocksOf } from "./rules.ts"

const cents = (value: number) => value as Cents
const state = constantFrom("open", "defended", "accepted", "rejected", "cancelled")
const dispute = record({ amountCents: integer({ min: 1, max: 10_000 }).map(cents), state })

test("what disputes block is never more than is left, and takes no fee that isn't due", () => {
  const amounts = record({ gross: integer({ min: 1, max: 10_000 }), fee: integer({ min: 0, max: 10_000 }) })
  assert(
    property(amounts, integer({ min: 0, max: 10_000 }), array(dispute, { maxLength: 4 }), (paid, back, disputes) => {
      const whole = { grossCents: cents(paid.gross), feeCents: cents(Math.min(paid.fee, paid.gross)) }
      const grossCents = cents(Math.min(back, paid.gross))
      const nothing = { grossCents: cents(0), feeCents: cents(0) }
      const returned = { grossCents, feeCents: feeShareOf(grossCents, whole, nothing) }
      const blocks = blocksOf(
        whole,
        returned,
        disputes.map((each) => ({ ...each, debitedCents: cents(0) })),
      )
      const sumOf = (pick: "openCents" | "netCents") => blocks.reduce((sum, block) => sum + block[pick], 0)
      expect(sumOf("openCents")).toBeLessThanOrEqual(whole.grossCents - returned.grossCents)
      const netLeft = whole.grossCents - whole.feeCents - (returned.grossCents - returned.feeCents)
      expect(sumOf("netCents")).toBeLessThanOrEqual(netLeft)
      for (const [index, { openCents, netCents }] of blocks.entries()) {
        expect(netCents).toBeGreaterThanOrEqual(0)
        expect(netCents).toBeLessThanOrEqual(openCents)
        if (["rejected", "cancelled"].includes(disputes[index]?.state ?? "")) expect(openCents).toBe(0)
      }
    }),
  )
})

test("the block of a dispute is what its debit will take of the seller", () => {
  const paid = { grossCents: cents(3_333), feeCents: cents(500) }
  const nothing = { grossCents: cents(0), feeCents: cents(0) }
  const disputes = [{ amountCents: cents(1_111), debitedCents: cents(0), state: "open" as const }]
  expect(blocksOf(paid, nothing, disputes)).toEqual([{ openCents: 1_111, netCents: 944 }])
  expect(1_111 - feeShareOf(cents(1_111), paid, nothing)).toBe(944)
})
