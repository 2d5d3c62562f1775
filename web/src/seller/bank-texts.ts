import type { AccountType } from "@tilinta/contract/vocabulary/account-types"
import { type PixKeyKind, parsePixKey } from "@tilinta/contract/vocabulary/pix-key"

export const accountTypeLabels = {
  corrente: "Conta corrente",
  poupanca: "Conta poupança",
} as const satisfies Record<AccountType, string>

export const pixKeyLabels = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "E-mail",
  phone: "Telefone",
  evp: "Chave aleatória",
} as const satisfies Record<PixKeyKind, string>

export const unknownPixKey = "Chave PIX inválida. Telefones começam com +55."

/** What kind of key is being typed; nothing while there is none. */
export function pixKeyHint(typed: string): string | undefined {
  if (typed.trim() === "") return undefined
  const key = parsePixKey(typed)
  return key === null ? unknownPixKey : `Tipo da chave: ${pixKeyLabels[key.kind]}`
}
