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
