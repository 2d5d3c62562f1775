export const accountTypes = ["corrente", "poupanca"] as const
export type AccountType = (typeof accountTypes)[number]

export const accountTypeLabels = {
  corrente: "Conta corrente",
  poupanca: "Conta poupança",
} as const satisfies Record<AccountType, string>
