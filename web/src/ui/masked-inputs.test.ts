import { expect, test } from "vitest"
import { isTyping, maskedReais, reaisFromInput } from "./masked-inputs.tsx"

function typed(keys: string): string {
  let shown = ""
  for (const key of keys) {
    const text = key === "<" ? shown.slice(0, -1) : shown + key
    shown = maskedReais(reaisFromInput(text, true))
  }
  return shown
}

test("typed digits push the cents to the left", () => {
  expect(typed("1")).toBe("0,01")
  expect(typed("12345")).toBe("123,45")
  expect(typed("123456")).toBe("1.234,56")
})

test("deleting goes the same way back, down to nothing", () => {
  expect(typed("12345<")).toBe("12,34")
  expect(typed("1<")).toBe("")
})

test("letters change nothing and the digits end at the largest amount", () => {
  expect(typed("12a,")).toBe("0,12")
  expect(typed("99999999999")).toBe("9.999.999,99")
})

test.each([
  ["1.234,56", 1234.56],
  ["1234.56", 1234.56],
  ["R$ 1.234,56", 1234.56],
  ["1234", 1234],
  ["abc", null],
])("pasted %s is read as a whole amount", (text, reais) => {
  expect(reaisFromInput(text, false)).toBe(reais)
})

test("one key is typing, more than that or no kind of input is not", () => {
  expect(isTyping("insertText", "5")).toBe(true)
  expect(isTyping("deleteContentBackward", null)).toBe(true)
  expect(isTyping("insertText", "150,00")).toBe(false)
  expect(isTyping("insertFromPaste", null)).toBe(false)
  expect(isTyping(undefined, undefined)).toBe(false)
})
