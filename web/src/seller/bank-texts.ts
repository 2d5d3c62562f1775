import { ambiguousPixKey } from "@tilinta/contract/api/withdrawals-endpoints"
import { isAmbiguousPixKey, parsePixKey, pixKeyText } from "@tilinta/contract/vocabulary/pix-key"
import { pixKeyLabels } from "#format/bank-labels.ts"

export const unknownPixKey = "Chave Pix inválida. Use CPF, CNPJ, e-mail, celular com DDD ou chave aleatória."
export const pixKeyExamples = "CPF, CNPJ, e-mail, telefone com DDD ou chave aleatória"

/** The Pix key being typed, as it is read; undefined while the field is empty. */
export function pixKeyHint(typed: string): string | undefined {
  if (typed.trim() === "") return undefined
  if (isAmbiguousPixKey(typed)) return ambiguousPixKey
  const key = parsePixKey(typed)
  if (key === null) return unknownPixKey
  const kind = `Tipo da chave: ${pixKeyLabels[key.kind]}`
  const text = pixKeyText(key)
  return text === typed.trim() ? kind : `${kind} · ${text}`
}
