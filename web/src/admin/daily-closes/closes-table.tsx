import type { DailyCloseView } from "@tilinta/contract/daily-closes"
import type { CloseKind } from "@tilinta/contract/vocabulary/books"
import type { ReactNode } from "react"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable, RowLink } from "#ui/data-table.tsx"
import { dayLabel, differencesLabel, kindWords, statusWords } from "./daily-closes-data.ts"

export function CloseStatusBadge({ close }: { close: Pick<DailyCloseView, "status" | "differenceCount"> }) {
  const { label, tone } = statusWords[close.status]
  return <Badge tone={tone}>{close.status === "differences" ? differencesLabel(close.differenceCount) : label}</Badge>
}

/** Most installations have one bank, whose name in every row says nothing. */
function dayColumn(rows: readonly DailyCloseView[]): Column<DailyCloseView> {
  const isOneBank = new Set(rows.map(({ provider }) => provider)).size <= 1
  return {
    header: "Dia",
    area: "title",
    cell: (row) => <DayCell close={row} note={isOneBank ? <ReceiptsCount close={row} /> : row.providerLabel} />,
  }
}

const figureColumns: readonly Column<DailyCloseView>[] = [
  { header: kindWords.receipt, area: "amount", end: true, cell: (row) => <TotalCell close={row} kind="receipt" /> },
  { header: kindWords.refund, area: "none", end: true, cell: (row) => <TotalCell close={row} kind="refund" /> },
  { header: kindWords.payout, area: "none", end: true, cell: (row) => <TotalCell close={row} kind="payout" /> },
  { header: "Situação", area: "status", cell: (row) => <CloseStatusBadge close={row} /> },
  {
    header: "Comparado em",
    area: "date",
    cell: ({ closedAt }) => (
      <span className="whitespace-nowrap text-t2 tabular-nums cards:text-meta cards:text-t3">
        {closedAt === null ? "Ainda não" : formatDateTime(closedAt)}
      </span>
    ),
  },
]

export function ClosesTable({ rows, dimmed }: { rows: readonly DailyCloseView[]; dimmed: boolean }) {
  return (
    <DataTable
      caption="Fechamentos diários"
      columns={[dayColumn(rows), ...figureColumns]}
      rows={rows}
      dimmed={dimmed}
      wide
    />
  )
}

function DayCell({ close, note }: { close: DailyCloseView; note: ReactNode }) {
  return (
    <RowLink
      from="/admin/daily-closes"
      to="/admin/daily-closes"
      search={(old) => ({ ...old, close: close._id })}
      aria-haspopup="dialog"
      text={<span className="tabular-nums">{dayLabel(close.day)}</span>}
      note={note}
    />
  )
}

/** Says in a card what its amount is; the table has a column for it. */
function ReceiptsCount({ close }: { close: DailyCloseView }) {
  const receipts = close.totals.find(({ kind }) => kind === "receipt")
  if (receipts === undefined) return null
  return <span className="hidden cards:inline">{countOf(receipts.ours.count, "recebimento", "recebimentos")}</span>
}

/** Our total, and the bank's only where it differs. */
function TotalCell({ close, kind }: { close: DailyCloseView; kind: CloseKind }) {
  const reais = useReais()
  const total = close.totals.find((each) => each.kind === kind)
  if (total === undefined) return <span className="text-t3">–</span>
  const { ours, bank } = total
  const isSame = ours.amount === bank.amount && ours.count === bank.count
  return (
    <span className="block whitespace-nowrap tabular-nums">
      <b className="font-semibold">{reais(ours.amount)}</b>
      <span className={`block text-meta ${isSame ? "text-t3 cards:hidden" : "text-coral"}`}>
        {isSame ? `${ours.count} no dia` : `banco: ${reais(bank.amount)}`}
      </span>
    </span>
  )
}
