import { assert, integer, oneof, property, string, stringMatching } from "fast-check"
import { expect, test } from "vitest"
import { foldText } from "./encode.ts"

test.each([
  ["São João", 25, "Sao Joao"],
  ["  Ação   e\tReação ", 25, "Acao e Reacao"],
  ["Pães & Cia @ 1º andar", 25, "Paes Cia 1o andar"],
  ["Loja – Centro", 25, "Loja - Centro"],
  ["Straße Øst", 25, "Strasse Ost"],
  ["ßßß", 5, "sssss"],
  ["abc de", 4, "abc"],
  ["👍", 25, ""],
  ["\ud83d", 25, ""],
])("%o in %i characters is %o", (text, maxLength, folded) => {
  expect(foldText(text, maxLength)).toBe(folded)
})

test("folded text holds only plain characters, single spaces inside, and folds to itself", () => {
  const text = oneof(string({ unit: "binary" }), stringMatching(/^[ A-Za-zÀ-ÿ0-9.,-]{0,40}$/))
  assert(
    property(text, integer({ min: 1, max: 30 }), (original, maxLength) => {
      const folded = foldText(original, maxLength)
      expect(folded).toMatch(/^([A-Za-z0-9.,-]+( [A-Za-z0-9.,-]+)*)?$/)
      expect(folded.length).toBeLessThanOrEqual(maxLength)
      expect(foldText(folded, maxLength)).toBe(folded)
    }),
  )
})
