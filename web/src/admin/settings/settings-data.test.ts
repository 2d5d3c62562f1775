import { expect, test } from "vitest"
import { draftOf, feeWarning, valueOf } from "./settings-data.ts"

test.each([
  ["number", "7.5", 7.5],
  ["number", "7,5", 7.5],
  ["number", "0", 0],
  ["number", "", 0],
  ["number", "abc", 0],
  ["number", "Infinity", 0],
  ["string", "0", "0"],
  ["boolean", true, true],
  ["boolean", false, false],
] as const)("a %s typed as %j is sent as %j", (type, draft, value) => {
  expect(valueOf(type, draft)).toBe(value)
})

test("what is stored is what stands in the editor", () => {
  expect([draftOf(0), draftOf(false), draftOf("Loja")]).toEqual(["0", false, "Loja"])
})

test.each([
  [15, 0, "taxa zero"],
  [15, 20.01, "muda 5,01 pontos"],
  [15, 9, "muda 6 pontos"],
])("a fee from %d to %d asks first", (before, after, words) => {
  expect(feeWarning("TRANSACTION_FEE_PERCENTAGE", before, after)).toContain(words)
})

test.each([
  ["TRANSACTION_FEE_PERCENTAGE", 15, 20],
  ["TRANSACTION_FEE_PERCENTAGE", 0, 0],
  ["MIN_WITHDRAWAL_AMOUNT", 15, 0],
])("%s from %d to %d is saved at once", (key, before, after) => {
  expect(feeWarning(key, before, after)).toBeNull()
})
