/** Every negative number on a screen has the minus sign, not the hyphen that `Intl` writes. */
export function withMinus(text: string): string {
  return text.replace("-", "−")
}

export interface ReaisParts {
  symbol: string
  whole: string
  cents: string
}

/**
 * "R$ 1.234,56", "−R$ 0,10", with a no-break space, so that symbol and number never wrap apart. Written without `Intl`, whose
 * set-up takes a slow phone longer than the payer's whole page.
 */
export function formatReais(reais: number): string {
  const digits = Math.abs(reais).toFixed(2).replace(".", ",")
  return `${reais < 0 ? "−" : ""}R$\u00a0${digits.replace(/\B(?=(\d{3}){1,6},)/g, ".")}`
}

/** For large amounts, where symbol and cents are drawn smaller than the rest. */
export function splitReais(reais: number): ReaisParts {
  const [whole = "0", cents = "00"] = formatReais(reais)
    .replace(/[^\d.,]/g, "")
    .split(",")
  return { symbol: reais < 0 ? "−R$" : "R$", whole, cents }
}

/** Parses what people type or paste, grouped or not, with comma or dot; null when it can't be an amount. */
export function parseReais(text: string): number | null {
  const bare = text.replace(/R\$|\s/g, "")
  const grouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$|^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(bare)
  if (!grouped && !/^\d+([.,]\d{0,2})?$|^[.,]\d{1,2}$/.test(bare)) return null
  const decimalAt = /[.,]\d{0,2}$/.exec(bare)?.index ?? bare.length
  const whole = bare.slice(0, decimalAt).replace(/\D/g, "")
  return Number(`${whole || "0"}.${bare.slice(decimalAt + 1) || "0"}`)
}

const shortFormat = /* @__PURE__ */ new Intl.NumberFormat("pt-BR", { notation: "compact", maximumFractionDigits: 1 })

/** "1,5 mil", for narrow places. */
export function formatShort(number: number): string {
  return withMinus(shortFormat.format(number))
}

const countFormat = /* @__PURE__ */ new Intl.NumberFormat("pt-BR")

/** "1.234" */
export function formatCount(count: number): string {
  return countFormat.format(count)
}

/** "mais de 10.000": a search that nobody waits for counts no further. */
export function moreThan(count: number): string {
  return `mais de ${formatCount(count)}`
}

/** "1 pagamento", "1.234 pagamentos" */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
