import { expect, test } from "vitest"
import { formatShort } from "./short-number.ts"

test("large numbers take little room", () => {
  expect(formatShort(950)).toBe("950")
  expect(formatShort(1500)).toMatch(/^1,5\smil$/)
})
