import type { Cents } from "@tilinta/contract/vocabulary/money"

export {
  basisPointsFromPercentage,
  type Cents,
  centsFromReais,
  feeFromGross,
  feeShareOf,
  percentageFromBasisPoints,
  reaisFromCents,
} from "@tilinta/contract/vocabulary/money"

export const noMoney = 0 as Cents

export function addCents(a: Cents, b: Cents): Cents {
  return (a + b) as Cents
}

export function subtractCents(a: Cents, b: Cents): Cents {
  return (a - b) as Cents
}

const pixValue = /^(\d{1,10})\.(\d{2})$/

/** Parses a provider's `valor` ("100.00") without a float. Null when it isn't one. */
export function centsFromPixValue(value: string): Cents | null {
  const match = pixValue.exec(value)
  return match === null ? null : (Number(`${match[1]}${match[2]}`) as Cents)
}

/** The format of API Pix: "100.00". */
export function pixValueFromCents(cents: Cents): string {
  const digits = String(cents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const reaisFormat = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })

/** For people: "R$ 1.234,56" or "−R$ 0,10", with a plain space, which every mail program shows. */
export function reaisText(cents: Cents): string {
  return reaisFormat
    .format(cents / 100)
    .replaceAll("\u00a0", " ")
    .replace("-", "−")
}
