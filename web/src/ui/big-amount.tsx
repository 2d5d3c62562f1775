import type { ReaisParts } from "#format/money-text.ts"

interface Props {
  parts: ReaisParts
  /** A debt. */
  isNegative?: boolean
  className?: string
}

/** The one large number of a view: symbol and cents are drawn smaller. It shrinks with its room and never breaks. */
export function BigAmount({ parts: { symbol, whole, cents }, isNegative = false, className = "" }: Props) {
  const tone = isNegative ? "text-coral" : "text-t2"
  return (
    // A container has no width of its own: beside a badge it would vanish.
    <div className={`@container min-w-44 grow ${className}`}>
      <p
        className={`leading-[1.08] font-bold tracking-[-0.04em] whitespace-nowrap tabular-nums ${sizeOf(whole)} ${isNegative ? "text-coral" : ""}`}
      >
        <span className={`mr-[0.18em] align-[0.62em] text-[0.455em] font-semibold tracking-[-0.01em] ${tone}`}>
          {symbol}
        </span>
        {whole}
        {cents !== "" && <small className={`text-[0.59em] font-[650] tracking-[-0.02em] ${tone}`}>,{cents}</small>}
      </p>
    </div>
  )
}

function sizeOf(whole: string): string {
  if (whole.length <= 7) return "text-[min(44px,17cqi)]"
  if (whole.length <= 9) return "text-[min(44px,14cqi)]"
  if (whole.length <= 11) return "text-[min(40px,12cqi)]"
  return "text-[min(36px,10cqi)]"
}
