import { expect, test } from "vitest"
import { createExportSlots } from "./export.ts"

const refused = expect.objectContaining({ code: "too_many_exports", retryAfterSeconds: 10 })

test("one person has no more than their own slots, and releases one by leaving", () => {
  const enter = createExportSlots()
  const limits = { atOnce: 4, perPerson: 2 }
  const leave = enter("ana", limits)
  enter("ana", limits)
  expect(() => enter("ana", limits)).toThrow(refused)
  enter("bia", limits)
  leave()
  enter("ana", limits)
})

test("all together have no more than the limit, and the larger allowance reaches the last slots", () => {
  const enter = createExportSlots()
  for (const seller of ["ana", "bia"]) enter(seller, { atOnce: 2, perPerson: 2 })
  expect(() => enter("caio", { atOnce: 2, perPerson: 2 })).toThrow(refused)
  enter("chefe", { atOnce: 3, perPerson: 2 })
  expect(() => enter("gerente", { atOnce: 3, perPerson: 2 })).toThrow(refused)
})

test("leaving twice releases one slot", () => {
  const enter = createExportSlots()
  const limits = { atOnce: 2, perPerson: 2 }
  const leave = enter("ana", limits)
  enter("ana", limits)
  leave()
  leave()
  enter("ana", limits)
  expect(() => enter("ana", limits)).toThrow(refused)
})
