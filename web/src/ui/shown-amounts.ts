import { formatReais, type ReaisParts, splitReais } from "#format/money-text.ts"
import { createStoredSwitch } from "./stored-switch.ts"

/** For sellers who share their screen: hidden amounts are not even in the page. */
export const hiddenAmounts = createStoredSwitch("amounts-hidden")

const dots = "•••••"

export function shownReais(reais: number): string {
  return hiddenAmounts.isOn() ? `R$\u00a0${dots}` : formatReais(reais)
}

/** Rerenders when the switch changes. */
export function useReais(): (reais: number) => string {
  hiddenAmounts.use()
  return shownReais
}

export function useReaisParts(reais: number): ReaisParts {
  return hiddenAmounts.use() ? { symbol: "R$", whole: dots, cents: "" } : splitReais(reais)
}

/** An amount that respects the switch for hiding amounts. */
export function Reais({ children }: { children: number }): string {
  return useReais()(children)
}
