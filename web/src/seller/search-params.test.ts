import { sellerStatusFilterWords } from "@tilinta/contract/vocabulary/transactions"
import { expect, test } from "vitest"
import { knownStatus } from "#ui/list-search.ts"
import { chargePageListSearch, kindFilter, transactionsSearch } from "./search-params.ts"

test("an address is read for what it can mean, and no further", () => {
  expect(chargePageListSearch({ page: 3, status: "active", search: "curso" })).toMatchObject({
    page: 3,
    status: "active",
    search: "curso",
  })
  expect(Object.values(chargePageListSearch({ page: "-1", status: {}, search: {}, kind: "page" }))).toEqual(
    Array(7).fill(undefined),
  )
  expect(Object.values(chargePageListSearch({ page: "1.5", search: "  " }))).toEqual(Array(7).fill(undefined))
})

test("single charges are listed when asked for, and every search finds both kinds", () => {
  expect(
    [{}, { kind: "single" }, { kind: "all" }, { search: "pedido" }].map((raw) => kindFilter(chargePageListSearch(raw))),
  ).toEqual(["page", "single", undefined, undefined])
})

test("a search for a number stays a text", () => {
  expect(transactionsSearch({ search: 2026 }).search).toBe("2026")
})

test("the seller's words filter transactions", () => {
  const statusOf = (status: string) => knownStatus(transactionsSearch({ status }), sellerStatusFilterWords).status
  expect(["aprovado", "pago", "approved"].map(statusOf)).toEqual(["aprovado", "pago", undefined])
})

test("only what looks like an id opens a transaction", () => {
  const id = "0198c9a2-7f1e-7abc-8def-0123456789ab"
  expect(transactionsSearch({ transaction: id }).transaction).toBe(id)
  expect(transactionsSearch({ transaction: "../../users/me" }).transaction).toBeUndefined()
})
