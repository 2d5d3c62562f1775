import { expect, test } from "vitest"
import { knownSearch } from "./audit/audit-data.ts"
import { adminTransactionsSearch, auditSearch, reportsSearch, usersSearch } from "./search-params.ts"

test("an address of users is read for what it can mean, and no further", () => {
  const id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
  const whole = { page: 2, status: "inactive", search: "ana", user: id }
  expect(usersSearch(whole)).toEqual(whole)
  expect(Object.values(usersSearch({ page: 0, status: "all", search: " ", user: "../me" }))).toEqual(
    Array(4).fill(undefined),
  )
})

test("any word of a group stands for the whole group", () => {
  const groupOf = (status: string) => adminTransactionsSearch({ status }).status
  expect(["approved", "success", "paid"].map(groupOf)).toEqual(["approved", "approved", "approved"])
  expect(["pending", "processing"].map(groupOf)).toEqual(["pending", "pending"])
  expect(["failed", "error", "cancelled"].map(groupOf)).toEqual(["failed", "failed", "failed"])
  expect(["refunded", "aprovado"].map(groupOf)).toEqual(["refunded", undefined])
})

test("an address of transactions is read for what it can mean, and no further", () => {
  const raw = { paymentMethod: "boleto", dateFrom: "2026-11-01", dateTo: "2026-11-21", search: 42, page: "2" }
  expect(adminTransactionsSearch(raw)).toMatchObject({ ...raw, search: "42", page: 2 })
  expect(Object.values(adminTransactionsSearch({ paymentMethod: {}, transaction: "../users" }))).toEqual(
    Array(8).fill(undefined),
  )
})

const recordId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"

test("an address with everything is read as it was written", () => {
  const raw = {
    after: recordId,
    action: "user.updated",
    search: "Ana",
    entity: "user",
    entityId: recordId,
    period: "7d",
    record: recordId,
  }
  expect(knownSearch(auditSearch(raw))).toMatchObject(raw)
})

test("invalid values are left out, and so is an id without a kind", () => {
  const raw = { after: "x", action: "user.eaten", search: " ", entity: "planet", entityId: recordId, period: "ever" }
  expect(Object.values(knownSearch(auditSearch(raw))).filter((value) => value !== undefined)).toEqual([])
})

test("an address asks for days of the calendar, in their order", () => {
  const whole = { startDate: "2026-11-01", endDate: "2026-11-21" }
  expect(reportsSearch(whole)).toEqual(whole)
  expect(reportsSearch({ startDate: "2026-02-30", endDate: 7 })).toEqual({ startDate: undefined, endDate: undefined })
  expect(reportsSearch({ startDate: "2026-11-21", endDate: "2026-11-01" }).endDate).toBeUndefined()
})
