import type { Cents } from "@tilinta/contract/vocabulary/money"
import { assert, constantFrom, integer, property } from "fast-check"
import { expect, test } from "vitest"
import type { LedgerTransaction } from "#ledger/post-transactions"
import {
  completedWithdrawalPostings,
  paidByHandPostings,
  refusedPostings,
  returnPostings,
  sentPostings,
  withdrawalRequestPostings,
} from "./rules.ts"

const at = new Date("2026-11-21T12:00:00Z")
const withdrawal = (amount: number) => ({ id: "w1", sellerId: "s1", amountCents: amount as Cents, provider: "bank" })

function balancesAfter(transactions: LedgerTransaction[]): Record<string, number> {
  const balances: Record<string, number> = {}
  for (const { debit, credit, amountCents } of transactions.flatMap(({ postings }) => postings)) {
    balances[debit] = (balances[debit] ?? 0) - amountCents
    balances[credit] = (balances[credit] ?? 0) + amountCents
  }
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0))
}

const endings = {
  paid: [sentPostings, completedWithdrawalPostings],
  refused: [sentPostings, refusedPostings],
  returned: [returnPostings],
  byHand: [paidByHandPostings],
}

// For any amount and any outcome: either the seller has everything back, or the provider holds that much less.
test("an ended withdrawal leaves nothing held or under way", () => {
  assert(
    property(integer({ min: 1, max: 999_999_999 }), constantFrom(...Object.keys(endings)), (amount, ending) => {
      const steps = [withdrawalRequestPostings, ...endings[ending as keyof typeof endings]]
      const left = balancesAfter(steps.map((step) => step(withdrawal(amount), at)))
      const isPaid = ending === "paid" || ending === "byHand"
      expect(left).toEqual(isPaid ? { "seller-available:s1": -amount, "psp-clearing:bank": amount } : {})
    }),
  )
})

test("a withdrawal is returned once: both ways have the same kind and reference", () => {
  const ways = [returnPostings, refusedPostings].map((postings) => postings(withdrawal(1), at))
  expect(new Set(ways.map(({ kind, reference }) => `${kind} ${reference}`)).size).toBe(1)
})

test("a withdrawal without a provider can't be under way", () => {
  expect(() => sentPostings({ ...withdrawal(1), provider: null }, at)).toThrow(/withdrawal w1 has no provider/)
})
