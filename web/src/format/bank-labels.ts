import type { AccountType } from "@tilinta/contract/vocabulary/account-types"
import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"

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
