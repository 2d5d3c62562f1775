import type { TransactionsSummary } from "@tilinta/contract/api/transactions-endpoints"
import { formatCount, moreThan } from "#format/count.ts"
import { useReais } from "#ui/shown-amounts.ts"
import { SumsLine } from "#ui/sums-line.tsx"

export function SummaryLine({ summary }: { summary: TransactionsSummary }) {
  const reais = useReais()
  if (!summary.exact) return <SumsLine sums={[{ term: "Transações", value: moreThan(summary.count) }]} />
  const sums = [
    { term: summary.count === 1 ? "Transação" : "Transações", value: formatCount(summary.count) },
    { term: "Pagas", value: formatCount(summary.paidCount) },
    { term: "Valor bruto pago", value: reais(summary.totalGross) },
    { term: "Taxas", value: reais(summary.totalFee) },
    { term: "Recebido (líquido)", value: reais(summary.totalReceived) },
    { term: "Pendente", value: reais(summary.pendingGross), apart: true },
    { term: "Estornado", value: reais(summary.totalRefunded), apart: true },
  ]
  return <SumsLine sums={sums} />
}
