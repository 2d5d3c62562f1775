import { expect, test } from "vitest"
import { topUsersQuery } from "./reports-data.ts"

test("the best of a period need both of its days, else it is the month that runs", () => {
  const days = { startDate: "2026-11-01", endDate: "2026-11-21" }
  expect(topUsersQuery(days).queryKey).toContainEqual({ period: "custom", ...days })
  expect(topUsersQuery({ ...days, endDate: undefined }).queryKey).toContainEqual({ period: "month" })
})
