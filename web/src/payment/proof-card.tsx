import { splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/big-amount.tsx"
import { CopyButton } from "#ui/copy-button.tsx"

export interface ProofFact {
  term: string
  value: string
  /** Set for ids, which people pass on: what the copy button says. */
  copied?: string
}

interface Props {
  title: string
  amount: number
  facts: readonly ProofFact[]
}

export function ProofCard({ title, amount, facts }: Props) {
  return (
    <section className="rounded-xl border border-line bg-s1 px-5 pt-5 pb-3 shadow-card print:border-line-2 print:shadow-none">
      <h2 className="text-label font-medium text-t3">{title}</h2>
      <BigAmount parts={splitReais(amount)} className="mt-1 border-b border-dashed border-line-2 pb-4" />
      <dl className="mt-2 text-label">
        {facts.map((fact) =>
          fact.copied === undefined ? <Line key={keyOf(fact)} {...fact} /> : <Id key={keyOf(fact)} {...fact} />,
        )}
      </dl>
    </section>
  )
}

const keyOf = ({ term, value }: ProofFact) => `${term} ${value}`

function Line({ term, value }: ProofFact) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3 py-2">
      <dt className="text-t3">{term}</dt>
      <dd className="text-right wrap-anywhere tabular-nums">{value}</dd>
    </div>
  )
}

/** An id gets a line of its own, so that it isn't broken in the middle. */
function Id({ term, value, copied }: ProofFact) {
  return (
    <div className="py-2">
      <dt className="text-t3">{term}</dt>
      <dd className="flex items-center gap-2">
        <span className="@container min-w-0 flex-1">
          <span className="block font-mono text-[min(13px,4.4cqi)] break-all">{value}</span>
        </span>
        <CopyButton
          text={value}
          label={`Copiar ${term}`}
          title="Copiar"
          done={copied ?? ""}
          failed="Não foi possível copiar"
          className="flex-none print:hidden"
        />
      </dd>
    </div>
  )
}
