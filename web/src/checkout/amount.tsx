/** @jsxImportSource preact */
import { splitReais } from "#format/money-text.ts"

const LONG_WHOLE = 7

export function Amount({ reais }: { reais: number }) {
  const { symbol, whole, cents } = splitReais(reais)
  return (
    <p class={whole.length > LONG_WHOLE ? "amt long" : "amt"}>
      <span>{symbol}</span>
      {`\u00a0${whole}`}
      <small>,{cents}</small>
    </p>
  )
}
