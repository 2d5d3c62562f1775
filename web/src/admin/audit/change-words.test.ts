import { expect, test } from "vitest"
import { fieldLabel, valueText } from "./change-words.ts"

const reais = (amount: number) => `R$ ${amount}`

test.for([
  ["withdrawal", "status", "pending", "Pendente"],
  ["refund", "status", "processing", "Em processamento"],
  ["unmatched_payment", "status", "returning", "Em devolução"],
  ["unmatched_payment", "reason", "late", "Fora do prazo"],
  ["refund", "amount", 12.5, "R$ 12.5"],
  ["charge_page", "status", "cancelled", "Cancelada"],
  ["setting", "value", 14.5, "14,5"],
  ["setting", "value", false, "Não"],
  ["user", "role", "admin", "Administrador"],
  ["user", "bankAccount.accountType", "corrente", "Conta corrente"],
  ["user", "phone", null, "vazio"],
  ["export", "statuses", "paid, pending", "Aprovada, Pendente"],
  ["export", "dayFrom", "2026-11-21", "21/11/2026"],
  ["user", "name", "role", "role"],
] as const)("%s: %s %s reads %s", ([entity, field, value, text]) => {
  expect(valueText(entity, field, value, reais)).toBe(text)
})

test("a field without a name keeps its own", () => {
  expect([fieldLabel("bankAccount.pixKey"), fieldLabel("planet")]).toEqual(["Chave Pix", "planet"])
})
