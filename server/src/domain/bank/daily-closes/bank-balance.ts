import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"

/** The bank's balance beside that of our account, both as of one moment. */
export interface BankBalance {
  at: Date
  bankCents: Cents
  ourCents: Cents
  /** The part of bank − ours that money under way does not explain. */
  differenceCents: Cents
  /** Null when the provider told it. */
  typedBy: string | null
  /** Null when the difference is final. */
  readAgainUntil: Date | null
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

/** A credit of the bank's may be booked later: its figure is explained once our account has reached it. */
export function compareAgain(balance: BankBalance, look: OurMoney): BankBalance {
  const { bankCents } = balance
  const left = unexplainedCents(bankCents, [look])
  const differenceCents = Math.max(noMoney, Math.min(balance.differenceCents, left)) as Cents
  const distance = (cents: Cents) => Math.abs(subtractCents(bankCents, cents))
  const isNearer = distance(look.clearingCents) < distance(balance.ourCents)
  return { ...balance, differenceCents, ourCents: isNearer ? look.clearingCents : balance.ourCents }
}

/** The amount of sellers' debts that the fees don't make up for: other sellers' money pays it. */
export function uncoveredCents(debtsCents: Cents, feesCents: Cents): Cents {
  const left = addCents(feesCents, debtsCents)
  return left < noMoney ? subtractCents(noMoney, left) : noMoney
}
