/** An integer number of centavos. Reais appear only where JSON is read or written and on screens. */
export type Cents = number & { readonly __unit: "centavos" }

export const MAX_AMOUNT_CENTS = 999_999_999 as Cents

/** True for what JSON may carry as an amount: finite, at most two decimals. */
export function isReais(value: number): boolean {
  return Number.isFinite(value) && Number(value.toFixed(2)) === value
}

/** Throws RangeError for a value that `isReais` refuses: an amount is never rounded silently. */
export function centsFromReais(reais: number): Cents {
  if (!isReais(reais)) throw new RangeError("amount with more than two decimals")
  return Math.round(reais * 100) as Cents
}

export function reaisFromCents(cents: Cents): number {
  return cents / 100
}

/** Half up, to the centavo. `basisPoints`: 1500 is 15 %. Exact for every amount that the platform takes. */
export function feeFromGross(gross: Cents, basisPoints: number): Cents {
  return Math.floor((gross * basisPoints + 5000) / 10_000) as Cents
}

/** The smallest gross amount that leaves at least `net` after the fee; null when no accepted amount does. */
export function grossForNet(net: Cents, basisPoints: number): Cents | null {
  if (basisPoints >= 10_000) return null
  const netOf = (gross: number) => gross - feeFromGross(gross as Cents, basisPoints)
  let gross = Math.ceil((net * 10_000) / (10_000 - basisPoints))
  while (gross > 0 && netOf(gross - 1) >= net) gross -= 1
  while (netOf(gross) < net) gross += 1
  return gross > MAX_AMOUNT_CENTS ? null : (gross as Cents)
}

interface GrossAndFee {
  grossCents: Cents
  feeCents: Cents
}

/**
 * The share of a payment's fee that is returned with `amount`: pro rata, half up, over everything returned so far, so
 * that the shares of a full refund add up to the whole fee, and none exceeds its own amount.
 */
export function feeShareOf(amount: Cents, paid: GrossAndFee, returned: GrossAndFee): Cents {
  const due = proRata(paid, returned.grossCents + amount) - returned.feeCents
  const atMost = Math.min(amount, paid.feeCents - returned.feeCents)
  return Math.min(Math.max(due, 0), atMost) as Cents
}

/** BigInt, because the product of two amounts exceeds the integers that a float holds exactly. */
function proRata({ grossCents, feeCents }: GrossAndFee, part: number): number {
  const gross = BigInt(grossCents)
  return Number((BigInt(feeCents) * BigInt(part) * 2n + gross) / (gross * 2n))
}

export function basisPointsFromPercentage(percentage: number): number {
  return Math.round(percentage * 100)
}

export function percentageFromBasisPoints(basisPoints: number): number {
  return basisPoints / 100
}
