import { expect, test } from "vitest"
import { stepsOf } from "./steps.ts"

const nothing = { chargePages: 0, transactions: 0, hasShared: false, hasBankData: false, payments: 0, withdrawals: 0 }
const doneOf = (progress: Partial<typeof nothing>) => stepsOf({ ...nothing, ...progress }).map(({ isDone }) => isDone)

test("a new seller has everything ahead", () => {
  expect(doneOf({})).toEqual([false, false, false, false, false])
})

test("each step is done by what it asks for", () => {
  expect(doneOf({ chargePages: 1 })).toEqual([true, false, false, false, false])
  expect(doneOf({ chargePages: 1, hasShared: true, hasBankData: true })).toEqual([true, true, true, false, false])
  expect(doneOf({ chargePages: 1, hasBankData: true, payments: 1, transactions: 1, withdrawals: 1 })).toEqual(
    Array(5).fill(true),
  )
})

test("a generated Pix shows that the link was shared", () => {
  expect(doneOf({ chargePages: 1, transactions: 1 })[1]).toBe(true)
})
