import { expect, test } from "vitest"
import { consequenceOf, decisionsOf } from "./withdrawal-decision.ts"

const user = { _id: "ana", name: "Ana", email: "ana@exemplo.com" }
const byPix = { paymentMethod: "pix", paidByHand: false, returnable: false, user } as const
const pixByHand = { ...byPix, paidByHand: true, returnable: true } as const
const byBank = { paymentMethod: "bank_transfer", paidByHand: true, returnable: false, user } as const
const approved = "approved" as const

test("only what waits for a person can be decided", () => {
  expect(decisionsOf({ ...byPix, status: "pending" }, "admin")).toEqual(["approve", "reject"])
  expect(decisionsOf({ ...byBank, status: "pending" }, "admin")).toEqual(["approve", "reject"])
  expect(decisionsOf({ ...byBank, status: "approved", returnable: true }, "admin")).toEqual(["complete", "return"])
  expect(decisionsOf({ ...byPix, status: "approved" }, "admin")).toEqual([])
  expect(decisionsOf({ ...pixByHand, status: "approved" }, "admin")).toEqual(["complete", "return"])
  expect(decisionsOf({ ...pixByHand, status: "completed" }, "admin")).toEqual(["return"])
  for (const status of ["processing", "completed", "rejected", "cancelled"] as const) {
    expect(decisionsOf({ ...byBank, status }, "admin")).toEqual([])
  }
})

test("nobody decides about their own withdrawal", () => {
  expect(decisionsOf({ ...byPix, status: "pending" }, "ana")).toEqual([])
  expect(decisionsOf({ ...byBank, status: "approved" }, "ana")).toEqual([])
})

test("an approval says whether money leaves by itself", () => {
  const status = "pending" as const
  expect(consequenceOf("approve", { ...byPix, status })).toContain("enviado ao banco")
  expect(consequenceOf("approve", { ...byBank, status })).toContain("Nada é enviado sozinho: faça a transferência")
  expect(consequenceOf("approve", { ...pixByHand, status })).toContain(
    "Nada é enviado sozinho: faça o Pix para esta chave",
  )
  expect(consequenceOf("complete", { ...pixByHand, status: approved })).toContain("só depois de fazer o Pix")
})

test("a return says whether the money must be seen first", () => {
  expect(consequenceOf("return", { ...byBank, status: approved })).toMatch(/^O saque não será pago\. O valor volta/)
  expect(consequenceOf("return", { ...byBank, status: "completed" })).toMatch(/^Confirme só depois de ver o valor/)
})
