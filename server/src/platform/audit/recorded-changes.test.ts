import { expect, test } from "vitest"
import { recordedChanges } from "./rules.ts"

test("only differences are listed, amounts in reais and the parts of an object one by one", () => {
  const before = { status: "pending", amountCents: 5_000, adminNotes: "", sellerId: "a", address: { city: "Recife" } }
  const after = { ...before, status: "approved", adminNotes: "ok", address: { city: "Olinda", state: "PE" } }
  expect(recordedChanges(before, after)).toEqual([
    { field: "status", before: "pending", after: "approved" },
    { field: "adminNotes", before: null, after: "ok" },
    { field: "address.city", before: "Recife", after: "Olinda" },
    { field: "address.state", before: null, after: "PE" },
  ])
})

test("a new thing is listed with all fields but links to other things", () => {
  expect(recordedChanges(null, { sellerId: "a", chargeId: "b", amountCents: 1_999, failureReason: null })).toEqual([
    { field: "amount", before: null, after: 19.99 },
  ])
  expect(recordedChanges(null, null)).toEqual([])
})

test("personal identifiers are masked, and shown as changed", () => {
  const before = {
    email: "ana@loja.example",
    phone: "11987654321",
    address: { street: "Rua das Flores", zipCode: "50000123" },
    bankAccount: { account: "56789-0", agency: "1234", pixKey: "52998224725" },
  }
  const after = { ...before, email: "maria@loja.example", phone: "11987654399" }
  const text = JSON.stringify(
    recordedChanges(before, { ...after, address: {}, bankAccount: { pixKey: "a@b.example" } }),
  )
  for (const secret of ["maria", "11987654", "Flores", "50000", "56789", "1234", "529982"])
    expect(text).not.toContain(secret)
  expect(recordedChanges(before, after)).toEqual([
    { field: "email", before: "an•••@loja.example", after: "ma•••@loja.example" },
    { field: "phone", before: "•••4321", after: "•••4399" },
  ])
})

test("numbers and addresses in an export's search text are masked", () => {
  const [change] = recordedChanges(null, { search: "529.982.247-25 ana@loja.example Mentoria" })
  expect(change?.after).toBe("•••7-25 an•••@loja.example Mentoria")
})
