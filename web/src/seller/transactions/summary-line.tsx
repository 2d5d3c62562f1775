import type { TransactionsSummary } from "@tilinta/contract/api/transactions-endpoints"
import { useReais } from "#ui/shown-amounts.ts"

const countFormat = new Intl.NumberFormat("pt-BR")

/** Of everything that the filters select, not of the page. */
export function SummaryLine({ summary }: { summary: TransactionsSummary }) {
  const reais = useReais()
  const entries = [
    { term: summary.count === 1 ? "Transação" : "Transações", value: countFormat.format(summary.count) },
    { term: "Pagas", value: countFormat.format(summary.paidCount) },
    { term: "Valor bruto", value: reais(summary.totalGross) },
    { term: "Taxas", value: reais(summary.totalFee) },
    { term: "Recebido (líquido)", value: reais(summary.totalReceived) },
  ]
  return (
    <dl
      aria-label="Resumo"
      className="mx-2 mb-2 flex flex-wrap gap-x-8 gap-y-2 rounded-l border border-line bg-bg px-4 py-3 md:mx-3.5"
    >
      {entries.map(({ term, value }) => (
        <div key={term}>
          <dt className="text-[12.5px] text-t3">{term}</dt>
          <dd className="font-semibold whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
