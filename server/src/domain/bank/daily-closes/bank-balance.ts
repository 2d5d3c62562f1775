import { addCents, type Cents, noMoney, subtractCents } from "#kit/money"

/** The bank's balance beside that of our account, both as of one moment. */
export interface BankBalance {
  at: Date
  bankCents: Cents
  ourCents: Cents
  /** The part of bank − ours that money under way does not explain. */
  differenceCents: Cents
  /** Null when the provider told it. */
  typedBy: string | null
}

export interface OurMoney {
  clearingCents: Cents
  /** Payouts and refunds that may have left the bank already. */
  underWayCents: Cents
}

/** Between two looks at our books the bank's balance may lie anywhere from the least to the most of both. */
export function unexplainedCents(bankCents: Cents, looks: readonly OurMoney[]): Cents {
  const most = Math.max(...looks.map(({ clearingCents }) => clearingCents)) as Cents
  const least = Math.min(
    ...looks.map(({ clearingCents, underWayCents }) => subtractCents(clearingCents, underWayCents)),
  ) as Cents
  if (bankCents > most) return subtractCents(bankCents, most)
  return bankCents < least ? subtractCents(bankCents, least) : noMoney
}

/** The amount of sellers' debts that the fees don't make up for: other sellers' money pays it. */
export function uncoveredCents(debtsCents: Cents, feesCents: Cents): Cents {
  const left = addCents(feesCents, debtsCents)
  return left < noMoney ? subtractCents(noMoney, left) : noMoney
}
