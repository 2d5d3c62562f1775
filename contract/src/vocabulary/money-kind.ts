/** The simulator's money, that of a bank's test environment, or real money. */
export const moneyKinds = ["sandbox", "homologation", "real"] as const
export type MoneyKind = (typeof moneyKinds)[number]
