import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"

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

/** "1.234,56", filled in from the cents, as in bank apps. */
export function maskAmount(text: string): string {
  const cents = +digitsOf(text).slice(0, 9)
  return cents ? formatReais(cents / 100).slice(3) : ""
}

/** For large amounts, where symbol and cents are drawn smaller than the rest. */
export function splitReais(reais: number): ReaisParts {
  const [whole = "0", cents = "00"] = formatReais(reais)
    .replace(/[^\d.,]/g, "")
    .split(",")
  return { symbol: reais < 0 ? "−R$" : "R$", whole, cents }
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
