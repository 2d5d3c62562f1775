import { assert, integer, property } from "fast-check"
import { expect, test } from "vitest"
import { addCents, type Cents, feeFromGross, noMoney, subtractCents } from "#kit/money"
import { sellerAvailable } from "#ledger/accounts"
import { paymentPostings, unmatchedPaymentPostings } from "./payment-postings.ts"

const seller = sellerAvailable("seller-1")

function postingsOf(amount: number, basisPoints: number) {
  const amountCents = amount as Cents
  return paymentPostings({
    provider: "test",
    sellerId: "seller-1",
    amountCents,
    feeCents: feeFromGross(amountCents, basisPoints),
  })
}

// For any amount and fee the seller gets gross minus fee, and never less than zero.
test("a payment never lowers the seller's balance and splits into net and fee to the centavo", () => {
  const anyAmount = integer({ min: 1, max: 999_999_999 })
  assert(
    property(anyAmount, integer({ min: 0, max: 10_000 }), (amount, basisPoints) => {
      const change = postingsOf(amount, basisPoints).reduce((sum, posting) => {
        if (posting.credit === seller) return addCents(sum, posting.amountCents)
        return posting.debit === seller ? subtractCents(sum, posting.amountCents) : sum
      }, noMoney)
      expect(change).toBe(amount - feeFromGross(amount as Cents, basisPoints))
      expect(change).toBeGreaterThanOrEqual(0)
    }),
  )
})

test("a fee of zero is not booked: the ledger takes positive amounts only", () => {
  expect(postingsOf(1_000, 0)).toEqual([{ debit: "psp-clearing:test", credit: seller, amountCents: 1_000 }])
})

test("uncredited money goes to suspense in full", () => {
  expect(unmatchedPaymentPostings({ provider: "test", amountCents: 777 as Cents })).toEqual([
    { debit: "psp-clearing:test", credit: "suspense:test", amountCents: 777 },
  ])
})
