import type { TransactionsSummary, TransactionView } from "@tilinta/contract/transactions"
import { formatDateTime } from "#format/dates.ts"
import { formatCount, moreThan } from "#format/money-text.ts"
import { useFresh } from "#seller/live/live-store.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Reais, useReais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell } from "#ui/data-table.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { TransactionStatusBadge, TransactionTitle } from "./transaction-title.tsx"

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

const columns: readonly Column<TransactionView>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  {
    header: "Descrição",
    area: "title",
    cell: (row) => <TransactionTitle transaction={row} described />,
  },
  {
    header: "Valor bruto",
    area: "amount",
    end: true,
    cell: (row) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{row.grossAmount}</Reais>
      </b>
    ),
  },
  {
    header: "Taxa",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap text-t2 tabular-nums">
        <Reais>{row.fee}</Reais>
      </span>
    ),
  },
  {
    header: "Valor líquido",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap tabular-nums">
        <Reais>{row.netAmount}</Reais>
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  { header: "Método", area: "none", cell: () => <span className="text-t2">PIX</span> },
]

export function TransactionTable({ rows, dimmed }: { rows: readonly TransactionView[]; dimmed: boolean }) {
  const fresh = useFresh()
  return (
    <DataTable
      caption="Transações"
      columns={columns}
      rows={rows}
      rowKey={(row) => row._id}
      isFresh={(row) => fresh.has(row._id)}
      dimmed={dimmed}
      wide
    />
  )
}
