import { splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/big-amount.tsx"

interface Props {
  title: string
  amount: number
  facts: readonly { term: string; value: string }[]
}

export function ProofCard({ title, amount, facts }: Props) {
  return (
    <section className="rounded-xl border border-line bg-s1 px-5 pt-5 pb-3 shadow-card print:border-line-2 print:shadow-none">
      <h2 className="text-label font-medium text-t3">{title}</h2>
      <BigAmount parts={splitReais(amount)} className="mt-1 border-b border-dashed border-line-2 pb-4" />
      <dl className="mt-2 text-label">
        {facts.map(({ term, value }) => (
          <div key={`${term} ${value}`} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3 py-2">
            <dt className="text-t3">{term}</dt>
            <dd className="text-right wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
