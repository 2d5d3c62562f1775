import { expect, test } from "vitest"
import { adminTransactionsSearch } from "./transactions-search.ts"

test("any word of a group stands for the whole group", () => {
  const groupOf = (status: string) => adminTransactionsSearch({ status }).status
  expect(["approved", "success", "paid"].map(groupOf)).toEqual(["approved", "approved", "approved"])
  expect(["pending", "processing"].map(groupOf)).toEqual(["pending", "pending"])
  expect(["failed", "error", "cancelled"].map(groupOf)).toEqual(["failed", "failed", "failed"])
  expect(["refunded", "aprovado"].map(groupOf)).toEqual(["refunded", undefined])
})

test("an address is read for what it can mean, and no further", () => {
  const raw = { paymentMethod: "boleto", dateFrom: "2026-11-01", dateTo: "2026-11-21", search: 42, page: "2" }
  expect(adminTransactionsSearch(raw)).toMatchObject({ ...raw, search: "42", page: 2 })
  expect(Object.values(adminTransactionsSearch({ paymentMethod: "cash", transaction: "../users" }))).toEqual(
    Array(8).fill(undefined),
  )
})
