import { expect, test } from "vitest"
import { pageCount } from "./list-screen.tsx"

test("an empty list has one page, and a full last page opens no other", () => {
  expect(pageCount(0, 10)).toBe(1)
  expect(pageCount(10, 10)).toBe(1)
  expect(pageCount(11, 10)).toBe(2)
})
