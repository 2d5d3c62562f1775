import { expect, test } from "vitest"
import { growthText } from "./dashboard-cards.tsx"

test("growth has a sign, and no growth has none", () => {
  expect(growthText(12.345)).toBe("+12,35%")
  expect(growthText(-50)).toBe("−50%")
  expect(growthText(0)).toBe("0%")
  expect(growthText(1234.5)).toBe("+1.234,5%")
})
