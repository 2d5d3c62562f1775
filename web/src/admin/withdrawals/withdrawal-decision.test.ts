import { expect, test } from "vitest"
import { consequenceOf, decisionsOf } from "./withdrawal-decision.ts"

const user = { _id: "ana", name: "Ana", email: "ana@exemplo.com" }
const byPix = { paymentMethod: "pix", paidByHand: false, user } as const
const pixByHand = { ...byPix, paidByHand: true } as const
const byBank = { paymentMethod: "bank_transfer", paidByHand: true, user } as const

test("only what waits for a person can be decided", () => {
  expect(decisionsOf({ ...byPix, status: "pending" }, "admin")).toEqual(["approve", "reject"])
  expect(decisionsOf({ ...byBank, status: "pending" }, "admin")).toEqual(["approve", "reject"])
  expect(decisionsOf({ ...byBank, status: "approved" }, "admin")).toEqual(["complete"])
  expect(decisionsOf({ ...byPix, status: "approved" }, "admin")).toEqual([])
  expect(decisionsOf({ ...pixByHand, status: "approved" }, "admin")).toEqual(["complete"])
  for (const status of ["processing", "completed", "rejected", "cancelled"] as const) {
    expect(decisionsOf({ ...byBank, status }, "admin")).toEqual([])
  }
})

test("nobody decides about their own withdrawal", () => {
  expect(decisionsOf({ ...byPix, status: "pending" }, "ana")).toEqual([])
  expect(decisionsOf({ ...byBank, status: "approved" }, "ana")).toEqual([])
})

test("an approval says whether money leaves by itself", () => {
  expect(consequenceOf("approve", byPix)).toContain("enviado ao banco")
  expect(consequenceOf("approve", byBank)).toContain("Nada é enviado sozinho: faça a transferência")
  expect(consequenceOf("approve", pixByHand)).toContain("Nada é enviado sozinho: faça o PIX para esta chave")
  expect(consequenceOf("complete", pixByHand)).toContain("só depois de fazer o PIX")
})
