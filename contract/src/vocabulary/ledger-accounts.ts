/** Chart of accounts as administrators see it. A kind without words does not compile. */
export const accountKindLabels = {
  bank: "Banco",
  seller_available: "Vendedores: saldo disponível",
  seller_reserved: "Vendedores: a receber",
  seller_withdrawing: "Vendedores: em saque",
  seller_blocked: "Vendedores: bloqueado",
  seller_debt: "Vendedores: dívidas",
  suspense: "A conferir e em trânsito",
  fees: "Taxas",
  tariffs: "Tarifas e rendimentos do banco",
  capital: "Capital",
  corrections: "Correções",
} as const
export type AccountKind = keyof typeof accountKindLabels
export const accountKinds = Object.keys(accountKindLabels) as AccountKind[]
