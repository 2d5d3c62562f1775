import { expect, test } from "vitest"
import { refundProblem } from "./transaction-details.tsx"

test("a refund is more than nothing and no more than what is left", () => {
  expect(refundProblem(null, 10)).toBe("O valor do estorno deve ser maior que zero")
  expect(refundProblem(0, 10)).toBe("O valor do estorno deve ser maior que zero")
  expect(refundProblem(10.01, 10)).toMatch(/^O valor do estorno não pode passar de R\$\s10,00$/)
  expect(refundProblem(10, 10)).toBeUndefined()
  expect(refundProblem(0.01, 10)).toBeUndefined()
})
