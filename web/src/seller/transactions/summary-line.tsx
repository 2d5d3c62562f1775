import type { TransactionsSummary } from "@tilinta/contract/api/transactions-endpoints"
import { formatCount } from "#format/count.ts"
import { useReais } from "#ui/shown-amounts.ts"
import { SumsLine } from "#ui/sums-line.tsx"

export function SummaryLine({ summary }: { summary: TransactionsSummary }) {
  const reais = useReais()
  const sums = [
    { term: summary.count === 1 ? "Transação" : "Transações", value: formatCount(summary.count) },
    { term: "Pagas", value: formatCount(summary.paidCount) },
    { term: "Valor bruto", value: reais(summary.totalGross) },
    { term: "Taxas", value: reais(summary.totalFee) },
    { term: "Recebido (líquido)", value: reais(summary.totalReceived) },
  ]
  return <SumsLine sums={sums} />
}
