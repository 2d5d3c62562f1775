import { useRef } from "react"
import { useScrollsSideways } from "./use-scrolls-sideways.ts"

interface Sum {
  term: string
  value: string
  /** Stands apart: it is no part of the sums before it. */
  apart?: boolean
}

interface Props {
  /** Sums over everything that the filters select, not only this page. */
  sums: readonly Sum[]
  /** On a phone one below the other: an equation is seen whole, where a line scrolls sideways. */
  stacked?: boolean
}

/** One line on a phone, which scrolls sideways. */
export function SumsLine({ sums, stacked = false }: Props) {
  const line = useRef<HTMLDListElement>(null)
  const scrolls = useScrollsSideways(line)
  return (
    <dl
      ref={line}
      aria-label="Resumo"
      tabIndex={scrolls ? 0 : undefined}
      className={`${stacked ? "flex-col md:flex-row" : "phone-line"} mx-2 mb-2 flex flex-wrap gap-x-8 gap-y-2 rounded-l border border-line bg-bg px-4 py-3 md:mx-3.5`}
    >
      {sums.map(({ term, value, apart = false }) => (
        <div
          key={term}
          className={`whitespace-nowrap ${stacked ? "flex items-baseline justify-between md:block" : ""} ${apart ? "text-t2 md:border-l md:border-line-2 md:pl-8" : ""}`}
        >
          <dt className="text-[12.5px] text-t3">{term}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
