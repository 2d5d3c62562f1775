import { expect, test } from "vitest"
import { consequenceOf, decisionsOf } from "./withdrawal-decision.ts"

const user = { _id: "ana", name: "Ana", email: "ana@exemplo.com" }
const free = { heldUntil: null, holdReasons: [] }
const alone = { approvals: 0, approvalsNeeded: 1, firstApproval: null, ...free } as const
const byPix = { paymentMethod: "pix", paidByHand: false, returnable: false, user, ...alone } as const
const pixByHand = { ...byPix, paidByHand: true, returnable: true } as const
const byBank = { paymentMethod: "bank_transfer", paidByHand: true, returnable: false, user, ...alone } as const
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

test("a held one is approved by nobody until its wait is over, and can be rejected", () => {
  const held = { ...byPix, status: "pending" as const, holdReasons: ["new_destination" as const] }
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  expect(decisionsOf({ ...held, heldUntil: at(1) }, "admin")).toEqual(["reject"])
  expect(decisionsOf({ ...held, heldUntil: at(-1) }, "admin")).toEqual(["approve", "reject"])
})

test("a large one is approved by two, and by nobody twice", () => {
  const moment = "2026-11-21T12:00:00.000Z"
  const firstApproval = { by: { _id: "chefe", name: "Chefe" }, at: moment, expiresAt: moment }
  const half = { ...byPix, status: "pending", approvals: 1, approvalsNeeded: 2, firstApproval } as const
  expect(decisionsOf(half, "chefe")).toEqual(["reject"])
  expect(decisionsOf(half, "outra")).toEqual(["approve", "reject"])
  const fresh = { ...half, approvals: 0, firstApproval: null }
  expect(consequenceOf("approve", fresh)).toContain("ainda espera a de outro")
  expect(consequenceOf("approve", half)).toBe("O Pix é enviado ao banco em seguida: isto não pode ser desfeito.")
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
