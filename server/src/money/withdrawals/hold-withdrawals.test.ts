import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { array, assert, constantFrom, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { noHolds } from "#platform/settings/rules"
import { decideHold, type HoldFacts, type Leaving } from "./rules.ts"

const now = new Date("2026-11-21T15:00:00Z")
const DAY_SECONDS = 86_400

const facts = (rules: Partial<HoldFacts["rules"]>, changes: Partial<HoldFacts> = {}): HoldFacts => ({
  rules: { ...noHolds, ...rules },
  firstUsedAt: null,
  recoveredAt: null,
  leaving: [],
  platformDays: new Map(),
  ...changes,
})

const requestOf = (sellerId: string, cents: number) => ({ sellerId, amountCents: cents as Cents })

/** Decides one request after the other, each counting for the next, as the database's sums do. */
function holding({ platformDays, ...given }: HoldFacts) {
  const days = new Map(platformDays)
  const leaving = new Map<string, Leaving[]>()
  return ({ sellerId, amountCents }: ReturnType<typeof requestOf>) => {
    const others = leaving.get(sellerId) ?? []
    const held = decideHold(amountCents, now, { ...given, leaving: others, platformDays: days })
    const at = held.heldUntil ?? now
    leaving.set(sellerId, [...others, { at, amountCents }])
    days.set(saoPauloDay(at), addCents(days.get(saoPauloDay(at)) ?? noMoney, amountCents))
    return { ...held, sellerId, amountCents }
  }
}

const inDays = (days: number) => secondsAfter(now, days * DAY_SECONDS)

test("beyond the platform's limit each waits for the first day with capacity, whoever asks", () => {
  const hold = holding(facts({ platformLimitCents: 100 as Cents }))
  const held = ["ana", "bia", "caio", "davi", "eva"].map((seller) => hold(requestOf(seller, 50)))
  expect(held.map(({ heldUntil }) => heldUntil)).toEqual([null, null, inDays(1), inDays(1), inDays(2)])
  expect(held.map(({ holdReasons }) => holdReasons)).toEqual([
    [],
    [],
    ["platform_limit"],
    ["platform_limit"],
    ["platform_limit"],
  ])
})

test("a small one still fits into a day that is too full for a large one", () => {
  const hold = holding(facts({ platformLimitCents: 100 as Cents }))
  const held = [80, 60, 20, 40].map((cents) => hold(requestOf("ana", cents)))
  expect(held.map(({ heldUntil }) => heldUntil)).toEqual([null, inDays(1), null, inDays(1)])
})

test("what was held until a later day takes its share of that day", () => {
  const platformDays = new Map([[saoPauloDay(inDays(1)), 90 as Cents]])
  const hold = holding(facts({ platformLimitCents: 100 as Cents }, { platformDays }))
  const held = [60, 60, 60].map((cents) => hold(requestOf("ana", cents)))
  expect(held.map(({ heldUntil }) => heldUntil)).toEqual([null, inDays(2), inDays(3)])
})

test("one above the limit by itself leaves on a later day without any other", () => {
  const hold = holding(facts({ platformLimitCents: 100 as Cents }))
  const held = [500, 500, 10].map((cents) => hold(requestOf("ana", cents)))
  expect(held.map(({ heldUntil }) => heldUntil)).toEqual([inDays(1), inDays(2), null])
  const both = holding(facts({ platformLimitCents: 100 as Cents, dailyLimitCents: 50 as Cents }))
  const alone = [500, 500, 10].map((cents) => both(requestOf("bia", cents)))
  expect(alone.map(({ heldUntil }) => heldUntil)).toEqual([inDays(1), inDays(2), inDays(3)])
})

// However requests arrive, no day and no 24 hours of a seller carry more than the limit, but for single large ones.
test("neither limit is ever passed by what leaves together", () => {
  const request = record({ seller: constantFrom("ana", "bia", "caio"), cents: integer({ min: 1, max: 150 }) })
  const limit = integer({ min: 0, max: 200 })
  assert(
    property(array(request, { maxLength: 40 }), limit, limit, (list, own, all) => {
      const hold = holding(facts({ dailyLimitCents: own as Cents, platformLimitCents: all as Cents }))
      const held = list.map(({ seller, cents }) => hold(requestOf(seller, cents)))
      const sums = (nameOf: (each: (typeof held)[number]) => string) =>
        Map.groupBy(held, (each) => `${nameOf(each)} ${saoPauloDay(each.heldUntil ?? now)}`).values()
      const isWithin = (together: typeof held, most: number) =>
        most === 0 || together.length === 1 || together.reduce((sum, each) => sum + each.amountCents, 0) <= most
      for (const together of sums(() => "")) expect(isWithin(together, all)).toBe(true)
      for (const together of sums(({ sellerId }) => sellerId)) expect(isWithin(together, own)).toBe(true)
    }),
  )
})
