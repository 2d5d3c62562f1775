import type { TransactionsSummary } from "@tilinta/contract/api/transactions-endpoints"
import { formatCount, moreThan } from "#format/count.ts"
import { useReais } from "#ui/shown-amounts.ts"
import { SumsLine } from "#ui/sums-line.tsx"
import { sellerTexts } from "../seller-texts.ts"

/** Those of a search come after its rows, with dots meanwhile. */
export function SummaryLine({ summary, failed }: { summary: TransactionsSummary | undefined; failed: boolean }) {
  const reais = useReais()
  if (failed) return <p className="px-4 pb-3 text-meta text-t3">{sellerTexts.notSummed}</p>
  if (summary?.exact === false) return <SumsLine sums={[{ term: "Transações", value: moreThan(summary.count) }]} />
  const shown = (value: (summary: TransactionsSummary) => string) => (summary === undefined ? "…" : value(summary))
  const sums = [
    { term: summary?.count === 1 ? "Transação" : "Transações", value: shown(({ count }) => formatCount(count)) },
    { term: "Pagas", value: shown(({ paidCount }) => formatCount(paidCount)) },
    { term: "Valor bruto pago", value: shown(({ totalGross }) => reais(totalGross)) },
    { term: "Taxas", value: shown(({ totalFee }) => reais(totalFee)) },
    { term: "Recebido (líquido)", value: shown(({ totalReceived }) => reais(totalReceived)) },
    { term: "Pendente", value: shown(({ pendingGross }) => reais(pendingGross)), apart: true },
    { term: "Estornado", value: shown(({ totalRefunded }) => reais(totalRefunded)), apart: true },
  ]
  return <SumsLine sums={sums} />
}
