import { expect, test } from "vitest"
import { usersSearch } from "./users-search.ts"

test("an address is read for what it can mean, and no further", () => {
  const id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
  const whole = { page: 2, status: "inactive", search: "ana", user: id }
  expect(usersSearch(whole)).toEqual(whole)
  expect(Object.values(usersSearch({ page: 0, status: "all", search: " ", user: "../me" }))).toEqual(
    Array(4).fill(undefined),
  )
})
