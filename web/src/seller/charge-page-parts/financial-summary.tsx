import { useQuery } from "@tanstack/react-query"
import { formatReais, splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/big-amount.tsx"
import { breakdownOf, defaultFee, feeQuery, feeText } from "../fee/fee-data.ts"

/** The seller's net amount, updated while they type. */
export function FinancialSummary({ amount }: { amount: number | null }) {
  const { data: rule = defaultFee } = useQuery(feeQuery)
  const { gross, fee, net } = breakdownOf(amount, rule)
  return (
    <section
      aria-labelledby="summary-title"
      className="rounded-xl border border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)] p-6 shadow-card"
    >
      <h2 id="summary-title" className="text-label font-semibold text-t2">
        Resumo financeiro
      </h2>
      <p className="mt-3 text-meta text-t2">Valor líquido</p>
      <BigAmount parts={splitReais(net)} />
      <dl className="mt-4 grid gap-2 border-t border-mint-line pt-4 text-label tabular-nums">
        <Line term="Valor bruto" value={formatReais(gross)} />
        <Line term={`Taxa (${feeText(rule)})`} value={formatReais(-fee)} />
      </dl>
    </section>
  )
}

function Line({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-t2">{term}</dt>
      <dd className="font-semibold whitespace-nowrap">{value}</dd>
    </div>
  )
}
