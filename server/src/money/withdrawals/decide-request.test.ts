import type { Cents } from "@tilinta/contract/vocabulary/money"
import { array, assert, constantFrom, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { noHolds } from "#platform/settings/rules"
import { decideRequest, type RequestFacts } from "./rules.ts"
import { asRequested } from "./withdrawal.ts"

function requestOf(cents: number) {
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const created = { id: newId(), createdAt: new Date(), apiKeyId: null }
  return asRequested({ ...created, sellerId: "ana", amountCents: cents as Cents, destination })
}

function facts(availableCents: number, changes: Partial<RequestFacts> = {}): RequestFacts {
  return {
    isEnabled: true,
    maxPixCents: 0 as Cents,
    isNotOwn: false,
    minCents: 1 as Cents,
    availableCents: availableCents as Cents,
    seller: { isActive: true, cpf: "" },
    ownCnpj: null,
    isFrozen: false,
    protection: "relaxed",
    isPaidBefore: true,
    stepUpRefusal: null,
    hold: { rules: noHolds, firstUsedAt: null, recoveredAt: null, leaving: [], platformDays: new Map() },
    ...changes,
  }
}

function outcomeOf(given: RequestFacts, cents: number): string {
  try {
    const request = requestOf(cents)
    expect(decideRequest(given, request)).toEqual(request)
    return "ok"
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

test("a request takes at most what is available", () => {
  expect([600, 1_000, 1_001].map((cents) => outcomeOf(facts(1_000), cents))).toEqual([
    "ok",
    "ok",
    "insufficient_balance",
  ])
  expect(outcomeOf(facts(-50), 1)).toBe("insufficient_balance")
})

test("withdrawals switched off, an inactive seller, a freeze and a small amount each have their own error", () => {
  expect(outcomeOf(facts(100, { isEnabled: false }), 50)).toBe("withdrawals_disabled")
  expect(outcomeOf(facts(100, { seller: { isActive: false, cpf: "" } }), 50)).toBe("account_disabled")
  expect(outcomeOf(facts(100, { isFrozen: true }), 50)).toBe("withdrawals_frozen")
  expect(outcomeOf(facts(100, { minCents: 20 as Cents }), 19)).toBe("validation_failed")
  expect(outcomeOf(facts(100, { minCents: 20 as Cents }), 20)).toBe("ok")
})

test("a session that must step up chooses only destinations that were paid before", () => {
  const stepUpRefusal = new DomainError("step_up_required")
  expect(outcomeOf(facts(100, { stepUpRefusal }), 50)).toBe("ok")
  expect(outcomeOf(facts(100, { stepUpRefusal, isPaidBefore: false }), 50)).toBe("step_up_required")
})

// In any order of arrival, nobody gets more than there was, and a request that fits what is left is granted.
test("the balance never goes below zero, and available money is never refused", () => {
  const request = record({ seller: constantFrom("ana", "bia", "caio"), cents: integer({ min: 1, max: 500 }) })
  assert(
    property(array(request, { maxLength: 60 }), integer({ min: 0, max: 3_000 }), (list, cents) => {
      const left = new Map(["ana", "bia", "caio"].map((seller) => [seller, cents]))
      for (const { seller, cents: wanted } of list) {
        const before = left.get(seller) ?? 0
        expect(outcomeOf(facts(before), wanted)).toBe(wanted <= before ? "ok" : "insufficient_balance")
        if (wanted <= before) left.set(seller, before - wanted)
      }
      expect(Math.min(...left.values())).toBeGreaterThanOrEqual(0)
    }),
  )
})
