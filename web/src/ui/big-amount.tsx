import type { ReaisParts } from "#format/money-text.ts"

/** The one large number of a view: symbol and cents are drawn smaller. */
export function BigAmount({ parts, className = "" }: { parts: ReaisParts; className?: string }) {
  const { symbol, whole, cents } = parts
  return (
    <p
      className={`leading-[1.08] font-bold tracking-[-0.04em] tabular-nums ${whole.length > 9 ? "text-[34px]" : "text-[44px] max-md:text-[40px]"} ${className}`}
    >
      <span className="mr-2 align-[0.62em] text-[20px] font-semibold tracking-[-0.01em] text-t2">{symbol}</span>
      {whole}
      {cents !== "" && <small className="text-[26px] font-[650] tracking-[-0.02em] text-t2">,{cents}</small>}
    </p>
  )
}
