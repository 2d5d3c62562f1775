import { withMinus } from "./minus.ts"

const shortFormat = /* @__PURE__ */ new Intl.NumberFormat("pt-BR", { notation: "compact", maximumFractionDigits: 1 })

/** "1,5 mil", for narrow places. */
export function formatShort(number: number): string {
  return withMinus(shortFormat.format(number))
}
