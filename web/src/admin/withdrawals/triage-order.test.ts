import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { expect, test } from "vitest"
import { inTriageOrder } from "./triage-order.ts"

const rows = [{ _id: "new" }, { _id: "old" }] as AdminWithdrawalView[]
const idsOf = (status: "pending" | "completed" | undefined, total: number) =>
  inTriageOrder(rows, { status, total }).map(({ _id }) => _id)

test("who waits is served in turn, as long as all of them are there", () => {
  expect(idsOf("pending", 2)).toEqual(["old", "new"])
  expect(idsOf("pending", 3)).toEqual(["new", "old"])
  expect(idsOf("completed", 2)).toEqual(["new", "old"])
  expect(idsOf(undefined, 2)).toEqual(["new", "old"])
})
