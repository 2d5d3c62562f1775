import type { ChargePageView } from "@tilinta/contract/charge-pages"
import { expect, test } from "vitest"
import { type EditChargePageFields, editChargePageSchema, editFieldsOf } from "./edit-charge-page-schema.ts"

const page: ChargePageView = {
  _id: "1",
  title: "Mentoria",
  description: "",
  slug: "mentoria",
  uniqueLink: "aB3dEfGh1JkL",
  amount: 349.9,
  minAmount: null,
  maxAmount: null,
  suggestions: [],
  shortCode: "7KQ-M2X",
  status: "active",
  requireCustomerData: false,
  customerInfo: { requireName: false, requireEmail: false, requirePhone: false, requireCpf: false },
  pixConfig: { allowAnonymous: true, expiresInHours: 0 },
  expiresAt: null,
  maxPayments: 1,
  kind: "page",
  externalReference: null,
  metadata: {},
  returnUrl: null,
  paymentsCount: 0,
  suspendedAt: null,
  suspendedFor: null,
  createdAt: "2026-11-21T12:00:00Z",
  updatedAt: "2026-11-21T12:00:00Z",
}

function messagesOf(change: Partial<EditChargePageFields>): string[] {
  const result = editChargePageSchema.safeParse({ ...editFieldsOf(page), ...change })
  return result.success ? [] : result.error.issues.map((issue) => issue.message)
}

test("never stays never when nothing was touched", () => {
  expect(editChargePageSchema.parse(editFieldsOf(page)).pixConfig?.expiresInHours).toBe(0)
})

test("hours outside 1 to 168 are refused beside their field, nonsense falls back to 24", () => {
  const outside = "A expiração deve ficar entre 1 e 168 horas"
  expect(messagesOf({ neverExpires: false, expiresInHours: "0" })).toEqual([outside])
  expect(messagesOf({ neverExpires: false, expiresInHours: "169" })).toEqual([outside])
  expect(messagesOf({ neverExpires: false, expiresInHours: "168" })).toEqual([])
  const fallback = editChargePageSchema.parse({ ...editFieldsOf(page), neverExpires: false, expiresInHours: "x" })
  expect(fallback.pixConfig?.expiresInHours).toBe(24)
})

test("title and amount have the messages of the edit screen", () => {
  expect(messagesOf({ title: "  " })).toEqual(["Título é obrigatório"])
  expect(messagesOf({ amount: null })).toEqual(["Valor deve ser maior que zero"])
  expect(messagesOf({ amount: 0.01 })).toEqual([])
})

test("title and description are trimmed", () => {
  const body = editChargePageSchema.parse({ ...editFieldsOf(page), title: " A ", description: " b\n" })
  expect(body).toMatchObject({ title: "A", description: "b" })
})
