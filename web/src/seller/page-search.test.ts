import { expect, test } from "vitest"
import { chargeListSearch } from "./charge-list/charge-list-search.ts"
import { transactionsSearch } from "./transactions/transactions-search.ts"

test("an address is read for what it can mean, and no further", () => {
  expect(chargeListSearch({ page: 3, status: "active", search: "curso" })).toEqual({
    page: 3,
    status: "active",
    search: "curso",
  })
  const nothing = { page: undefined, status: undefined, search: undefined }
  expect(chargeListSearch({ page: "-1", status: "x", search: {} })).toEqual(nothing)
  expect(chargeListSearch({ page: "1.5", search: "  " })).toEqual(nothing)
})

test("a search for a number stays a text", () => {
  expect(transactionsSearch({ search: 2026 }).search).toBe("2026")
})

test("the seller's words filter transactions", () => {
  expect(transactionsSearch({ status: "aprovado" }).status).toBe("aprovado")
  expect(transactionsSearch({ status: "approved" }).status).toBeUndefined()
})
