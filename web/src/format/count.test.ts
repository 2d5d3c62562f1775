import { expect, test } from "vitest"
import { countOf, formatCount, moreThan } from "./count.ts"

test("thousands are grouped, and one is one", () => {
  expect(formatCount(12_345)).toBe("12.345")
  expect(countOf(1, "pagamento", "pagamentos")).toBe("1 pagamento")
  expect(countOf(0, "pagamento", "pagamentos")).toBe("0 pagamentos")
})

test("what is not counted further is more than that", () => {
  expect(moreThan(10_000)).toBe("mais de 10.000")
})
