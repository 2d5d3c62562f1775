import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"

export const pixKeyLabels = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "E-mail",
  phone: "Telefone",
  evp: "Chave aleatória",
} as const satisfies Record<PixKeyKind, string>
