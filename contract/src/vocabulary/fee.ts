import { basisPointsFromPercentage, type Cents, isReais, MAX_AMOUNT_CENTS } from "./money.ts"

/** The platform keeps this of a paid charge. A charge keeps the rule with which it was created. */
export interface FeeRule {
  kind: "percent"
  /** 1500 is 15 %. */
  basisPoints: number
}

export function percentFee(percentage: number): FeeRule {
  return { kind: "percent", basisPoints: basisPointsFromPercentage(percentage) }
}

export const feeOutOfRange = "A taxa deve ficar entre 0 e 100, com no máximo duas casas decimais."

export function isFeePercentage(value: number): boolean {
  return isReais(value) && value >= 0 && value <= 100
}

/** As people read a seller's own fee: "7,5%". */
export function ownFeeText(percentage: number | null): string {
  return percentage === null ? "a da plataforma" : `${String(percentage).replace(".", ",")}%`
}

/** Half up, to the centavo. Exact for every amount that the platform takes. */
export function feeOf(rule: FeeRule, gross: Cents): Cents {
  return Math.floor((gross * rule.basisPoints + 5000) / 10_000) as Cents
}

/** The smallest gross amount that leaves at least `net` after the fee; null when no accepted amount does. */
export function grossForNet(net: Cents, rule: FeeRule): Cents | null {
  const leavesNet = (gross: number) => gross - feeOf(rule, gross as Cents) >= net
  if (!leavesNet(MAX_AMOUNT_CENTS)) return null
  let [low, high] = [net as number, MAX_AMOUNT_CENTS as number]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (leavesNet(middle)) high = middle
    else low = middle + 1
  }
  return low as Cents
}
