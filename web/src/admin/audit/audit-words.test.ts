import type { AuditRecordView } from "@tilinta/contract/audit-records"
import { expect, test } from "vitest"
import { aboutText, fieldLabel, valueText } from "./audit-words.ts"

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

const about = { user: null, amount: null, transactionId: null, endToEndId: null }
const record = (changes: Pick<AuditRecordView, "entity" | "changes">): AuditRecordView => ({
  ...{ _id: "1", happenedAt: "2026-11-22T06:20:00Z", action: "daily_close.compared", actor: null, actorAddress: null },
  ...{ apiKey: null, actorDevice: null, requestId: null },
  ...{ entityId: "1", about },
  ...changes,
})

test("a sign-in is named by its account, and refused guesses of many accounts by none", () => {
  const ana = { ...about, user: { _id: "2", name: "Ana Souza" } }
  expect(aboutText({ ...record({ entity: "session", changes: [] }), about: ana }, String)).toBe("Ana Souza")
  expect(aboutText(record({ entity: "session", changes: [] }), String)).toBe("Várias contas")
})

test("what names nobody is named by its kind, an export by its file", () => {
  const of = (entity: AuditRecordView["entity"]) => aboutText(record({ entity, changes: [] }), String)
  expect([of("webhook"), of("api_key"), of("export")]).toEqual(["Webhook", "Chave de API", "Arquivo"])
})

test("a daily close is named by its day, whether it was compared or is compared again", () => {
  const day = (before: string | null, after: string | null) =>
    aboutText(record({ entity: "daily_close", changes: [{ field: "day", before, after }] }), String)
  expect(day(null, "2026-11-21")).toBe("Dia 21/11/2026")
  expect(day("2026-11-20", null)).toBe("Dia 20/11/2026")
})
