const percentFormat = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2, signDisplay: "exceptZero" })

/** "+12,34%" */
export function growthText(percent: number): string {
  return `${percentFormat.format(percent).replace("-", "−")}%`
}
