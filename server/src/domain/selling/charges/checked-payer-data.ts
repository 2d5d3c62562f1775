import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { digitsOf, type PayerField, payerDataProblem } from "@tilinta/contract/vocabulary/payer-data"
import { isPhone, phoneDigitsOf } from "@tilinta/contract/vocabulary/phone"
import { hasVisible } from "@tilinta/contract/vocabulary/readable-text"
import { brokenRule } from "#kit/domain-error"
import type { PayerData } from "./charge.ts"

export const noPayerData: PayerData = { name: null, email: null, cpf: null, phone: null }

/** Keeps the wanted fields alone, each of which must be sent and valid. @throws validation_failed */
export function checkedPayerData(sent: CustomerInfoBody, wanted: readonly PayerField[], path: string): PayerData {
  const problem = payerDataProblem(sent, wanted)
  if (problem !== null) throw brokenRule(`${path}.${problem.field}`, problem.message)
  const wants = (field: PayerField) => wanted.includes(field)
  if (wants("name") && !hasVisible(sent.name ?? "")) throw brokenRule(`${path}.name`, "Nome é obrigatório")
  if (wants("phone") && !isPhone(sent.phone ?? "")) throw brokenRule(`${path}.phone`, "Informe o telefone com DDD")
  return {
    name: wants("name") ? (sent.name ?? null) : null,
    email: wants("email") ? (sent.email ?? null) : null,
    cpf: wants("cpf") ? digitsOf(sent.cpf) : null,
    phone: wants("phone") ? phoneDigitsOf(sent.phone ?? "") : null,
  }
}
