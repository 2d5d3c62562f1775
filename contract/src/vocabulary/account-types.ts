export const accountTypes = ["corrente", "poupanca"] as const
export type AccountType = (typeof accountTypes)[number]
