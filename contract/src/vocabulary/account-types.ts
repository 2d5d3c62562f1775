export const accountTypes = ["corrente", "poupanca"] as const
