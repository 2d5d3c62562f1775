import { withMinus } from "#format/minus.ts"

const percentFormat = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2, signDisplay: "exceptZero" })

/** "+12,34%" */
export function growthText(percent: number): string {
  return `${withMinus(percentFormat.format(percent))}%`
}
