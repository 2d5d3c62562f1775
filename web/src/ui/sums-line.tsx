interface Props {
  /** Sums over everything that the filters select, not only this page. */
  sums: readonly { term: string; value: string }[]
}

export function SumsLine({ sums }: Props) {
  return (
    <dl
      aria-label="Resumo"
      className="mx-2 mb-2 flex flex-wrap gap-x-8 gap-y-2 rounded-l border border-line bg-bg px-4 py-3 md:mx-3.5"
    >
      {sums.map(({ term, value }) => (
        <div key={term}>
          <dt className="text-[12.5px] text-t3">{term}</dt>
          <dd className="font-semibold whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
