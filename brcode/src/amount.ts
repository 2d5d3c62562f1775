const longestAmount = 13

/** Field 54 holds at most ten digits before the point. */
export const maxAmountCents = 999_999_999_999

/** The manual also allows "10", "10." and ".10"; cents are parsed without passing through a float. */
export function parseAmountCents(amount: string): number | undefined {
  if (amount.length > longestAmount || amount === ".") return undefined
  const parts = /^(\d*)(?:\.(\d{0,2}))?$/.exec(amount)
  if (parts === null) return undefined
  const [, reais = "", cents = ""] = parts
  return Number(reais) * 100 + Number(cents.padEnd(2, "0"))
}

export function hasTwoDecimals(amount: string): boolean {
  return amount.length > 3 && amount.indexOf(".") === amount.length - 3
}

export function formatAmount(amountCents: number): string {
  const cents = amountCents % 100
  return `${(amountCents - cents) / 100}.${cents < 10 ? "0" : ""}${cents}`
}
