import { expect, test } from "vitest"
import { auditSearch } from "./audit-search.ts"
import { knownSearch } from "./known-search.ts"

const id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"

test("an address with everything is read as it was written", () => {
  const raw = {
    after: id,
    action: "user.updated",
    search: "Ana",
    entity: "user",
    entityId: id,
    period: "7d",
    record: id,
  }
  expect(knownSearch(auditSearch(raw))).toMatchObject(raw)
})

test("invalid values are left out, and so is an id without a kind", () => {
  const raw = { after: "x", action: "user.eaten", search: " ", entity: "planet", entityId: id, period: "ever" }
  expect(Object.values(knownSearch(auditSearch(raw))).filter((value) => value !== undefined)).toEqual([])
})
