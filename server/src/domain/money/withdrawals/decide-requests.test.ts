import type { Cents } from "@tilinta/contract/vocabulary/money"
import { array, assert, constantFrom, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { noHolds } from "#domain/platform/settings/read-setting"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { claimName, decideRequests, type Requested, type RequestOutcome, type Standing } from "./decide-requests.ts"
import type { Withdrawal } from "./withdrawal.ts"

function asked(sellerId: string, cents: number, key: string | null = null): Requested {
  const withdrawal: Withdrawal = {
    id: newId(),
    sellerId,
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    payoutId: null,
    status: "pending",
    isPaidByHand: false,
    provider: null,
    endToEndId: null,
    adminNotes: "",
    failureReason: null,
    attempts: 0,
    createdAt: new Date(),
    approvedAt: null,
    sentAt: null,
    processedAt: null,
    returnedCents: 0 as Cents,
    returnedAt: null,
    returnReason: null,
    sendingAt: null,
    apiKeyId: null,
    heldUntil: null,
    holdReasons: [],
    wasSettledByHand: false,
    firstApprovedBy: null,
  }
  return { withdrawal, claim: key === null ? null : { key, requestHash: Buffer.from(String(cents)) } }
}

function standing(available: Record<string, number>, changes: Partial<Standing> = {}): Standing {
  return {
    isEnabled: true,
    minCents: 1 as Cents,
    inactiveSellers: new Set(),
    frozenSellers: new Map(),
    notTheirs: new Set(),
    holds: {
      ...{ rules: noHolds, firstUses: new Map(), recoveredAt: new Map() },
      ...{ leaving: new Map(), platformDays: new Map() },
    },
    unproven: new Set(),
    unconfirmed: new Map(),
    available: new Map(Object.entries(available) as [string, Cents][]),
    claims: new Map(),
    ...changes,
  }
}

const reported = (outcome: RequestOutcome) => (outcome instanceof DomainError ? outcome.code : "ok")

test("each request sees what the earlier ones took, and a refusal takes nothing from the next", () => {
  const outcomes = decideRequests(standing({ ana: 1_000, bia: 50 }), [
    asked("ana", 600),
    asked("ana", 500),
    asked("bia", 60),
    asked("ana", 400),
    asked("caio", 1),
    asked("bia", 50),
  ])
  expect(outcomes.map(reported)).toEqual([
    "ok",
    "insufficient_balance",
    "insufficient_balance",
    "ok",
    "insufficient_balance",
    "ok",
  ])
})

test("a key twice in one batch is one withdrawal; another amount is refused, and after a refusal it works", () => {
  const requests = [asked("ana", 60, "k"), asked("ana", 60, "k"), asked("ana", 10, "k"), asked("bia", 60, "k")]
  const outcomes = decideRequests(standing({ ana: 100, bia: 100 }), requests)
  expect(outcomes[1]).toBe(requests[0]?.withdrawal)
  expect(outcomes.map(reported)).toEqual(["ok", "ok", "idempotency_key_reused", "ok"])

  const poor = [asked("ana", 200, "k"), asked("ana", 60, "k")]
  expect(decideRequests(standing({ ana: 100 }), poor).map(reported)).toEqual(["insufficient_balance", "ok"])
})

test("a used key returns its withdrawal, whatever the rules say now", () => {
  const [first, again] = [asked("ana", 60, "k"), asked("ana", 60, "k")]
  const claims = new Map([[claimName("ana", "k"), { requestHash: Buffer.from("60"), withdrawal: first.withdrawal }]])
  expect(decideRequests(standing({}, { isEnabled: false, claims }), [again])).toEqual([first.withdrawal])
})

test("withdrawals switched off, an inactive seller and a small amount each have their own error", () => {
  expect(decideRequests(standing({ ana: 100 }, { isEnabled: false }), [asked("ana", 50)]).map(reported)).toEqual([
    "withdrawals_disabled",
  ])
  const rules = { inactiveSellers: new Set(["bia"]), minCents: 20 as Cents }
  const requests = [asked("ana", 19), asked("bia", 50), asked("ana", 50)]
  expect(decideRequests(standing({ ana: 100, bia: 100 }, rules), requests).map(reported)).toEqual([
    "validation_failed",
    "account_disabled",
    "ok",
  ])
})

// In any order of arrival, nobody gets more than there was, and a request that fits what is left is granted.
test("the balance never goes below zero, and available money is never refused", () => {
  const request = record({ seller: constantFrom("ana", "bia", "caio"), cents: integer({ min: 1, max: 500 }) })
  assert(
    property(array(request, { maxLength: 60 }), integer({ min: 0, max: 3_000 }), (list, cents) => {
      const left = new Map(["ana", "bia", "caio"].map((seller) => [seller, cents]))
      const requests = list.map((each) => asked(each.seller, each.cents))
      for (const [at, outcome] of decideRequests(standing(Object.fromEntries(left)), requests).entries()) {
        const { seller, cents: wanted } = list[at] ?? { seller: "", cents: 0 }
        const before = left.get(seller) ?? 0
        expect(reported(outcome)).toBe(wanted <= before ? "ok" : "insufficient_balance")
        if (wanted <= before) left.set(seller, before - wanted)
      }
      expect(Math.min(...left.values())).toBeGreaterThanOrEqual(0)
    }),
  )
})
