import { isDay } from "#format/period.ts"

interface AccountsSearch {
  /** The day at whose end the balances are shown; without it, now. */
  asOf?: string | undefined
  /** The account open beside the list. */
  account?: string | undefined
}

export function accountsSearch(raw: Record<string, unknown>): AccountsSearch {
  const asOf = typeof raw.asOf === "string" && isDay(raw.asOf) ? raw.asOf : undefined
  const account = typeof raw.account === "string" && /^[a-z-]+(:[\w-]+)?$/.test(raw.account) ? raw.account : undefined
  return { asOf, account }
}
