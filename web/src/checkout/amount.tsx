import { formatReais } from "#format/money-text.ts"

/** Amounts longer than "R$ 999.999" are set smaller. */
const LONG_WHOLE = 10

export function Amount({ reais }: { reais: number }) {
  const [whole = "", cents] = formatReais(reais).split(",")
  return (
    <p className={whole.length > LONG_WHOLE ? "amt long" : "amt"}>
      <span>R$</span>
      {whole.slice(2)}
      <small>{`,${cents}`}</small>
    </p>
  )
}
